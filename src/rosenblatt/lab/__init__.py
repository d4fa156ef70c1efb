"""The lab: a page where one sees a perceptron learn, on the core of the library itself."""
