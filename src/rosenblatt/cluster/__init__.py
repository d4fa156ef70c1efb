"""Training and scoring where one process is not enough, by iterative parameter mixing.

Every pass starts each shard of the examples with the same weights, lets each learn from its own
examples as one machine would, and mixes what they come to (McDonald, Hall and Mann, 2010).
"""
