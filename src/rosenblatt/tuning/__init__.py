"""A deeper search for the best way to learn, over features as well as learners."""
