"""Six shards of pages filtered by what forty taught: what to look at before they are used."""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline

from rosenblatt import AveragedPerceptron, TextVectorizer, filter_shards, save

GOOD = ["river", "stone", "bread", "garden", "history", "letter", "winter", "harvest", "forest"]
JUNK = ["click", "win", "free", "offer", "casino", "cheap", "deal", "subscribe", "download"]
PLAIN = ["the", "a", "of", "and", "to", "in", "is", "it", "on", "that", "was", "for", "with"]
out = Path(sys.argv[1] if len(sys.argv) > 1 else "demo")
out.mkdir(parents=True, exist_ok=True)
rng = np.random.default_rng(0)


def page(goodness):
    """Eight words of one side or the other, and many of none."""
    own = [rng.choice(GOOD if rng.random() < goodness else JUNK) for _ in range(8)]
    return " ".join(rng.permutation(own + rng.choice(PLAIN, 25).tolist()))


with TemporaryDirectory() as folder:
    model, crawl, kept = (Path(folder, name) for name in ("pages.rbt", "crawl", "kept"))
    crawl.mkdir()
    for shard, share in enumerate([0.2, 0.2, 0.2, 0.2, 0.55, 0.2]):  # the fifth: an encyclopedia
        levels = rng.choice([0.85, 0.5, 0.15], 400, p=[0.9 * share, 0.1, 0.9 - 0.9 * share])
        lines = [json.dumps({"text": page(level)}) for level in levels]
        (crawl / f"part-{shard}.jsonl").write_text("\n".join(lines))
    learner = AveragedPerceptron(probabilities=True, random_state=0)
    pipeline = make_pipeline(TextVectorizer(n_hash_bits=12, norm="l2"), learner)
    save(pipeline.fit([page(level) for level in [0.85, 0.15] * 20], ["good", "junk"] * 20), model)
    filter_shards(model, crawl, kept, label="good", min_probability=0.8)
    summary = json.loads((kept / "_rosenblatt" / "summary.json").read_text())

shares = {name: 100 * each["kept"] / each["rows"] for name, each in summary["shards"].items()}
odd = max(shares, key=shares.get)
print(f"Kept {summary['kept']:,} of {summary['rows']:,} pages; {odd} keeps {shares[odd]:.0f} %.")
for kind, samples in summary["samples"].items():
    print(f"{kind}: {samples[0]['probability']:.2f}  {samples[0]['text'][:60]}")

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 5.2), layout="constrained")
left.barh([*shares], [*shares.values()], color=["C1" if name == odd else "C0" for name in shares])
left.axvline(100 * summary["share_kept"], color="black", linestyle=":")
left.set(xlabel="percent kept (dotted: of all)", title="One shard is another source")
begins = np.arange(20) / 20
right.bar(begins, summary["histogram"], 0.046, align="edge", color="lightgray", label="left out")
right.bar(begins, summary["kept_histogram"], 0.046, align="edge", color="C2", label="kept")
right.set(xlabel="probability of “good”", title="Two hills: it knows what most pages are")
right.legend(loc="upper center")
figure.savefig(out / "filter_a_crawl.png", dpi=100)
