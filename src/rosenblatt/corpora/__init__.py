"""Corpora that one model scores and selects from, shard by shard: files of any number and size."""
