// Opinions of films, made up, to learn from until a visitor brings others.
import { uniform } from "./clouds.js";

export const SAMPLE = `good	a moving story and a superb cast
good	charming from the first scene to the last
good	not a dull minute, and such clever music
good	the plot is clever and the camera superb
good	a gripping film, never tedious
good	funny, moving and not at all shallow
good	an excellent ending to an excellent story
good	the cast is charming and the music moving
good	I laughed, I cried, I would see it again
good	superb camera and a gripping plot
good	never dull, and the ending is superb
good	not clumsy at all: a charming little film
bad	a dull story with a clumsy cast
bad	tedious from the first scene to the last
bad	not a clever minute, and such noisy music
bad	the plot is shallow and the camera clumsy
bad	a noisy film, never moving
bad	not funny, and at all times dull
bad	a terrible ending to a terrible story
bad	the cast is clumsy and the music tedious
bad	I yawned, I slept, I would not see it again
bad	noisy camera and a shallow plot
bad	never gripping, and the ending is dull
bad	not charming at all: a tedious little film`;
export const SENTENCE = "not a dull film: the cast is superb, though the ending feels rushed";

const PRAISE = ["moving", "superb", "charming", "clever", "gripping", "funny"], BLAME = ["dull", "clumsy", "tedious", "shallow", "noisy", "slow"];
const THINGS = ["film", "plot", "cast", "music", "camera", "ending", "story", "first scene"];

/** Made-up opinions, some of them turned over by "not", some with the wrong label. */
export function opinions(count = 240) {
  const draw = uniform(5), one = (words) => words[Math.floor(draw() * words.length)];
  return Array.from({ length: count }, () => {
    const good = draw() < 0.5, turned = draw() < 0.25, wrong = draw() < 0.08;
    const said = one(good === turned ? BLAME : PRAISE), also = one(draw() < 0.3 ? PRAISE : good ? PRAISE : BLAME);
    return `${good !== wrong ? "good" : "bad"}\t${turned ? "not " : ""}${said} ${one(THINGS)}, ${also} ${one(THINGS)} and the ${one(THINGS)}`;
  }).join("\n");
}
