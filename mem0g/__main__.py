"""``python -m mem0g``."""

from mem0g.cli import main

if __name__ == "__main__":
    main()
