"""``python -m rosenblatt`` is the program ``rosenblatt``."""

from rosenblatt.cli import main

main()
