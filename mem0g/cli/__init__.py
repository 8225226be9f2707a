"""The command line: a thin skin over the facade."""


def main() -> None:
    """Run the command line on the program's arguments."""
    import sys

    from mem0g.cli.app import program
    from mem0g.cli.terminal import replace_unprintable

    replace_unprintable()
    program(sys.argv[1:])(prog_name="mem0g")
