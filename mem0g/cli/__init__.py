"""The command line: a thin skin over the facade."""

COLLECTED_AFTER = 50_000
"""Objects after which garbage is looked for; 700 by default, which loading modules exceeds again and again."""


def main() -> None:
    """Run the command line on the program's arguments."""
    import atexit
    import gc
    import sys

    gc.set_threshold(COLLECTED_AFTER)
    atexit.register(gc.freeze)  # else the interpreter searches all that is loaded for garbage before it ends

    from mem0g.cli.app import program
    from mem0g.cli.terminal import replace_unprintable

    replace_unprintable()
    program(sys.argv[1:])(prog_name="mem0g")
