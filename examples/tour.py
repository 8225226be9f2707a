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

    return Memory, Path, mo, read_text, tempfile, views


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    # A tour of mem0g

    Olivia and Ben have been friends for years. Their chat of 2024 goes into a memory, by rules, without a language
    model; then we ask it, look at its graph, go back in time, correct it, and make it forget.
    """)
    return


@app.cell
def _(Memory, Path, mo, read_text, tempfile):
    transcript = Path(mo.notebook_dir() or Path(__file__).parent) / "olivia-and-ben.txt"
    said = read_text(transcript.read_text(encoding="utf-8"), transcript.name)
    memory = Memory.open(Path(tempfile.mkdtemp()) / "tour.db", extractor="rules")
    for report in memory.ingest(said, user_id="tour"):
        print(f"{report.messages} messages: {report.facts} facts added, {report.retired} retired")
    return (memory,)


@app.cell
def _(memory, mo):
    hits = memory.search("Where does Olivia live?", user_id="tour", limit=4)
    for _hit in hits:
        print(f"{_hit.score:5.2f}  {_hit.text}")
    mo.vstack(
        [
            mo.md("## Ask\n\nA search returns facts and messages, each with the reasons why it was found."),
            mo.ui.table(
                [{"text": hit.text, "found by": ", ".join(r.channel for r in hit.reasons)} for hit in hits],
                selection=None,
            ),
        ]
    )
    return


@app.cell
def _(memory, mo):
    context = memory.context("What pet do Olivia and Ben have?", user_id="tour", tokens=120)
    print(context.text)
    mo.md(
        f"A **context** is text for a prompt, here of {context.tokens} of 120 tokens:\n\n```text\n{context.text}\n```"
    )
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


@app.cell(hide_code=True)
def _(mo):
    mo.md("""
    ## Go back in time

    A fact has the time in which it was true. Move the slider: where does Olivia live in that month?
    """)
    return


@app.cell
def _(mo):
    month = mo.ui.slider(1, 12, value=3, label="month of 2024", show_value=True)
    month
    return (month,)


@app.cell
def _(memory, mo, month):
    day = f"2024-{month.value:02}"
    then = memory.facts(user_id="tour", entity="Olivia", relation="lives in", as_of=day)[-1]
    print(f"{day}: {then.text}")
    mo.md(f"As of **{day}**: {then.text}")
    return


@app.cell
def _(memory, mo):
    moves, replaced = memory.history("Olivia", user_id="tour")
    homes = [fact for fact in moves if fact.relation == "LIVES_IN"]
    because = {each.fact_id: each.reason for each in replaced}
    for home in homes:
        print(home.text, f"(until {home.valid_to}: {because[home.id]})" if home.valid_to else "(now)")
    mo.md("**History**: what replaced what, and why.")
    return (homes,)


@app.cell
def _(homes, memory, mo):
    why = memory.why(homes[-1].id, user_id="tour")
    for evidence in why.evidence:
        print(f"{evidence.time:%d %B %Y}, {evidence.speaker}: {evidence.text}")
    for decision in why.decisions[:3]:
        print(decision.operation, "by", decision.decided_by, "-", decision.reason)
    mo.md("**Why**: the messages behind a fact, and what was decided about it.")
    return


@app.cell
def _(homes, memory, mo):
    (wrong,) = memory.facts(user_id="tour", entity="Olivia", relation="allergic to")
    changed = memory.correct(wrong.id, "Olivia is allergic to shellfish.", user_id="tour")
    for change in changed.changes:
        print(change.kind, change.text)
    latest = memory.decisions(user_id="tour", limit=1)[0]
    memory.undo(latest.id, user_id="tour")
    print("undone:", memory.fact(wrong.id, user_id="tour").text, "is current again")
    home_id = homes[-1].id
    mo.md(
        "## Correct, and take it back\n\nA wrong fact is replaced, not overwritten, and each change can be undone."
    )
    return (home_id,)


@app.cell
def _(home_id, memory, mo):
    assert memory.fact(home_id, user_id="tour").current
    receipt = memory.forget(user_id="tour")
    print(f"forgotten: {receipt.messages} messages, {receipt.facts} facts, {receipt.entities} entities")
    memory.close()
    mo.md("**Forget** removes a scope for good, with a receipt. That is the end of the tour.")
    return


if __name__ == "__main__":
    app.run()
