"""The command line."""

import sys


def main() -> None:
    """Run the program ``rosenblatt`` with the arguments of the process."""
    try:
        from rosenblatt.cli.app import run
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        sys.exit("error: the command line needs click: pip install 'rosenblatt[cli]'.")
    sys.exit(run(sys.argv[1:]))
