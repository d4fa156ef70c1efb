// Presets: three sentences and a question each, in the order in which the subject is taught.
import { beside, clouds, uniform } from "./clouds.js";

export const LESSONS = [
  {
    name: "separable", title: "A line is found",
    text: ["Two clouds, and a line that does not exist yet: all weights are zero.",
      "Each example is looked at in turn, and only a mistake moves the line: the example itself is added to the weights, or taken from them.",
      "If any line separates the clouds, this ends with one that does."],
    question: "How many of the examples taught it anything?",
    points: () => clouds(3, [[1.7, 0.9, 1], [-1.6, -0.8, 0]], { each: 14, spread: 0.62 }),
    settings: { seed: 2, t: 2 },
  },
  {
    name: "narrow", title: "A narrow margin",
    text: ["Here a line exists, but the gap between the classes is thin.",
      "The mistake bound is (R/γ)²: halve the margin γ and four times as many mistakes may be needed.",
      "The bound holds for every order of the examples, and most orders stay far below it."],
    question: "Move the clouds apart. What happens to the bound, and what to the mistakes?",
    points: () => beside(5, 44, [1, -0.8, 0.2], 0.16),
    settings: { view: "bound", passes: 100 },
  },
  {
    name: "bias", title: "It needs a bias",
    text: ["Without a bias every line passes through the origin, wherever the points are.",
      "A bias is one more weight, for a feature that is always 1, and it moves the line off the origin.",
      "These clouds lie on the same side of the origin, so no line through it will do."],
    question: "Turn the bias on. Which way does the line move, and why so slowly?",
    points: () => clouds(8, [[2.6, 1.7, 1], [1.0, 0.6, 0]], { each: 12, spread: 0.34 }),
    settings: { intercept: false, passes: 40, t: 3 },
  },
  {
    name: "order", title: "Order matters",
    text: ["All positives come first, then all negatives.",
      "After a few mistakes it says yes to everything, and learns nothing until the labels change.",
      "In random order the same points are learned in fewer passes."],
    question: "Choose a new order for every pass. How many examples does it take now?",
    points: () => clouds(12, [[1.3, 0.8, 1], [-1.0, -0.9, 0]], { each: 20, spread: 0.66,
      keep: (x, y, k) => (2 * k - 1) * (x + 0.8 * y) > 0.25 }),
    settings: { order: "sorted", passes: 40, t: 21 },
  },
  {
    name: "averaging", title: "Averaging calms it",
    text: ["The last weights lean towards the examples seen last, so the line jumps to the very end.",
      "The average of all weights passed through barely moves, and costs one more addition at each mistake.",
      "On points that overlap the average nearly always predicts better."],
    question: "Turn the average on and off. Which of the two lines would you trust?",
    points: () => clouds(21, [[1.0, 0.6, 1], [-1.0, -0.6, 0]], { each: 30, spread: 0.85 }),
    settings: { average: true, passes: 10, t: 300 },
  },
  {
    name: "xor", title: "XOR, and its lift",
    text: ["Opposite corners share a label, and no line separates them.",
      "Four points are proof enough: two segments that cross.",
      "One more feature, the product of both, lifts the points off the plane, and there a plane separates them."],
    question: "Which of these learners can solve it, and what do they see that the others do not?",
    points: () => clouds(31, [[1.6, 1.3, 0], [-1.6, 1.3, 1], [-1.6, -1.3, 0], [1.6, -1.3, 1]],
      { each: 8, spread: 0.38 }),
    settings: { view: "bound", passes: 20, learners: ["plain", "pairs", "kernel"] },
  },
  {
    name: "outlier", title: "One outlier",
    text: ["A single point lies deep among the other class.",
      "It is mistaken in every pass, and each time it pulls the line towards itself.",
      "So the perceptron never comes to rest: one wrong label is enough."],
    question: "Drag the outlier home. How soon does the learner converge?",
    points: () => [...clouds(42, [[1.9, 0.6, 1], [-1.8, -0.6, 0]], { each: 12, spread: 0.5 }),
      { x: -2.3, y: -0.4, k: 1 }],
    settings: { passes: 30, t: 25 },
  },
  {
    name: "noise", title: "Label noise",
    text: ["Some labels are simply wrong, as they are in most real data.",
      "A rule that corrects every mistake at once follows the noise; a mean, a cap on the step, or weights that grow sure hold it back.",
      "Judge a learner by points that it has not seen: the hollow ones."],
    question: "Raise the noise. Which error grows first?",
    points: () => beside(51, 240, [1, 0.7, 0.1], 0.1),
    settings: { view: "compare", passes: 12, noise: 15, learners: ["plain", "averaged", "pa", "arow"] },
  },
  {
    name: "irrelevant", title: "Many irrelevant features",
    text: ["The label says whether one of two features is present; all the others mean nothing.",
      "Winnow multiplies its weights where the perceptron adds, so its bound grows with the logarithm of the number of features.",
      "The perceptron pays for every feature that does not matter."],
    question: "Double the features. Who makes more mistakes, and by how many?",
    points: () => [],
    settings: { view: "compare", passes: 12, features: 100, learners: ["winnow", "plain", "averaged"] },
  },
  {
    name: "voted", title: "Voted against averaged",
    text: ["Every weight vector passed through may vote, with as many votes as examples it survived.",
      "The average asks for the mean of their scores instead, which is one vector and one product.",
      "Their lines nearly agree; only the cost differs, by as much as there were mistakes."],
    question: "Where on the plane do the two disagree?",
    points: () => clouds(61, [[0.9, 0.6, 1], [-0.9, -0.6, 0]], { each: 60, spread: 0.9 }),
    settings: { view: "compare", passes: 10, learners: ["plain", "voted", "averaged"] },
  },
  {
    name: "classes", title: "More than two classes",
    text: ["Each class has weights of its own, and the class with the highest score wins.",
      "After a mistake the right class is promoted by the example and the winner is demoted by it: two vectors move.",
      "So the weights of all classes always add up to zero."],
    question: "Step to a mistake. Which border moves, and which stay?",
    points: () => clouds(71, [[2.2, 0.9, 0], [-2.1, 1.1, 1], [0.1, -1.8, 2], [0.2, 1.9, 3]],
      { each: 10, spread: 0.42 }),
    settings: { view: "classes", passes: 20, seed: 4, t: 6 },
  },
];

export const lessonNamed = (name) => LESSONS.find((lesson) => lesson.name === name);

/** Rows of zeros and ones; the label says whether the first or the second is one. */
export function disjunction(features, count = 400, seed = 9) {
  const draw = uniform(seed);
  const rows = Array.from({ length: count }, () =>
    Array.from({ length: features }, (_, k) => Number(draw() < (k < 2 ? 0.3 : 0.5))));
  return { rows, labels: rows.map(([a, b]) => Number(a + b > 0)) };
}
