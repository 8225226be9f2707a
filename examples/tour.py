"""A tour of mem0g as a marimo notebook: no key, no server, nothing is sent.

`make tour` opens it in a browser; `python examples/tour.py` runs it as a program (pip install "mem0g[docs]").
"""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="A tour of mem0g")


@app.cell
def _():
    import tempfile
    from pathlib import Path

    import marimo as mo

    from mem0g import Memory, read_text, views

    def shown(intro, *lines):
        """Print the lines, for a run as a program, and return them below the introduction, for the notebook."""
        print(*lines, sep="\n")
        return mo.md(intro + "\n\n```text\n" + "\n".join(lines) + "\n```")

    return Memory, Path, mo, read_text, shown, tempfile, views


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    # A tour of mem0g

    Olivia and Ben have been friends for years. Their chat of 2024 goes into a memory, by rules, without a language
    model; then we ask it, look at its graph, go back in time, correct it, and make it forget.
    """)
    return


@app.cell
def _(Memory, Path, mo, read_text, shown, tempfile):
    transcript = Path(mo.notebook_dir() or Path(__file__).parent) / "olivia-and-ben.txt"
    said = read_text(transcript.read_text(encoding="utf-8"), transcript.name)
    folder = Path(tempfile.mkdtemp())
    memory = Memory.open(folder / "tour.db", extractor="rules")
    reports = list(memory.ingest(said, user_id="tour"))
    shown(
        "It is read in windows of one session. New facts retire those that they contradict.",
        *(f"{each.messages} messages: {each.facts} facts added, {each.retired} retired" for each in reports),
    )
    return folder, memory


@app.cell
def _(memory, shown):
    hits = memory.search("Where does Olivia live?", user_id="tour", limit=4)
    shown(
        "## Ask\n\nA **search** returns facts and messages, best first, with the reasons why each was found.",
        *(f"{hit.text}\n    by {', '.join(reason.channel for reason in hit.reasons)}" for hit in hits),
    )
    return


@app.cell
def _(memory, shown):
    context = memory.context("What pet do Olivia and Ben have?", user_id="tour", tokens=120)
    shown(f"A **context** is text for a prompt, here of {context.tokens} of at most 120 tokens.", context.text)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## Look at the graph

    People and things are nodes, facts are typed edges. Faded edges are of facts that were retired. `subgraph` is a
    `networkx.MultiDiGraph`; `mem0g.views` draws it.
    """)
    return


@app.cell
def _(memory, mo, views):
    graph = memory.subgraph("Olivia", user_id="tour", include_retired=True)
    print(f"Olivia: {graph.number_of_nodes()} entities, {graph.number_of_edges()} facts around her")
    mo.Html(views.svg(graph))
    return


@app.cell
def _(mo):
    month = mo.ui.slider(1, 12, value=3, label="month of 2024", show_value=True)
    mo.vstack(
        [
            mo.md(
                "## Go back in time\n\nA fact has the time in which it was true. Where does Olivia live in that month?"
            ),
            month,
        ]
    )
    return (month,)


@app.cell
def _(memory, month, shown):
    day = f"2024-{month.value:02}"
    homes = memory.facts(user_id="tour", entity="Olivia", relation="lives in", as_of=day)
    shown("`as_of` describes the world as it was.", *(f"{day}: {home.text}" for home in homes))
    return


@app.cell
def _(memory, shown):
    facts, replaced = memory.history("Olivia", user_id="tour")
    lived = [fact for fact in facts if fact.relation == "LIVES_IN"]
    because = {each.fact_id: each.reason for each in replaced}
    shown(
        "The **history** says what replaced what, and why.",
        *(
            f"{each.text} {f'(until {each.valid_to}: {because[each.id]})' if each.valid_to else '(now)'}"
            for each in lived
        ),
    )
    return (lived,)


@app.cell
def _(lived, memory, shown):
    why = memory.why(lived[-1].id, user_id="tour")
    shown(
        "Every fact cites its **evidence**: the messages that state it. The log has what was decided about it.",
        *(f"{each.time:%d %B %Y}, {each.speaker}: {each.text}" for each in why.evidence),
        *(f"{each.operation} by {each.decided_by}: {each.reason}" for each in why.decisions[:3]),
    )
    return


@app.cell
def _(lived, memory, shown):
    assert lived
    (wrong,) = memory.facts(user_id="tour", entity="Olivia", relation="allergic to")
    corrected = memory.correct(wrong.id, "Olivia is allergic to shellfish.", user_id="tour")
    memory.undo(memory.decisions(user_id="tour", limit=1)[0].id, user_id="tour")
    again = memory.fact(wrong.id, user_id="tour")
    shown(
        "## Correct, and take it back\n\nA wrong fact is replaced, not overwritten, and each change can be undone.",
        *(f"{change.kind}: {change.text}" for change in corrected.changes),
        f"undone: {again.text} {'(current again)' if again.current else ''}",
    )
    return (again,)


@app.cell
def _(Memory, again, folder, memory, shown):
    assert again.current
    memory.backup(folder / "copy.db")  # so that the slider above has something to show
    with Memory.open(folder / "copy.db", extractor="rules") as copy:
        receipt = copy.forget(user_id="tour")
    shown(
        "## Forget\n\nWhat a scope holds is removed for good, with a receipt. That is the end of the tour.",
        f"forgotten: {receipt.messages} messages, {receipt.facts} facts, {receipt.entities} entities",
    )
    return


if __name__ == "__main__":
    app.run()
