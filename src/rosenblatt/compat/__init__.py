"""The calls of other programs, answered by this one: for those who come from there."""
