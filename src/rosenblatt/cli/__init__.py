"""The command line."""

import sys
import warnings


def main() -> None:
    """Run the program ``rosenblatt`` with the arguments of the process."""
    try:
        from rosenblatt.cli.app import run
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        sys.exit("error: the command line needs click: pip install 'rosenblatt[cli]'.")
    except KeyboardInterrupt:
        print("error: Interrupted: nothing was written.", file=sys.stderr)
        sys.exit(130)
    # joblib tries the disk as it is imported; where that takes nothing, an error of ours says so.
    warnings.filterwarnings("ignore", message=".*joblib will operate in serial mode")
    sys.exit(run(sys.argv[1:]))
