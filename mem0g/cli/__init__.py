"""The command line: a thin skin over the facade."""


def main() -> None:
    """Run the command line on the program's arguments."""
    from mem0g.cli.app import app
    from mem0g.cli.terminal import replace_unprintable

    replace_unprintable()
    app(prog_name="mem0g")
