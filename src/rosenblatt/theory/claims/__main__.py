"""Print the claims of the documents beside what comes out when they are tried."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict

from threadpoolctl import threadpool_limits

from rosenblatt.theory.claims import CLAIMS
from rosenblatt.theory.claims.record import COLUMNS, WIDTH


def main(arguments: Sequence[str] | None = None) -> None:
    """Run as ``python -m rosenblatt.theory.claims``."""
    options = _parser().parse_args(arguments)
    chosen = [claim for claim in CLAIMS if not options.only or claim.id in options.only]
    findings = []
    if not options.json:
        print(COLUMNS.format("claim", "claimed", "measured [95 % interval]", "holds"))
        print("-" * WIDTH)
    for claim in chosen:
        with threadpool_limits(1):  # matrices are small: threads would wait for each other
            findings.append(claim.check(quick=options.quick))
        if not options.json:
            print(f"{findings[-1]}\n", flush=True)
    if options.json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2, ensure_ascii=False))
        return
    counted = [
        sum(found.holds == answer for found in findings) for answer in ("yes", "partly", "no")
    ]
    print("{} hold, {} in part, {} do not.".format(*counted))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rosenblatt.theory.claims", description=__doc__)
    ids = [claim.id for claim in CLAIMS]
    parser.add_argument(
        "--only",
        action="append",
        choices=ids,
        metavar="ID",
        help=f"one of {', '.join(ids)}; again for more",
    )
    parser.add_argument("--quick", action="store_true", help="fewer runs, wider intervals")
    parser.add_argument("--json", action="store_true", help="print a list of records")
    return parser


if __name__ == "__main__":
    main()
