"""Files of examples, in the formats that people keep them in."""
