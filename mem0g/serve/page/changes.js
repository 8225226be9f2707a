// The view of what changed lately: what was learnt, replaced, ended, merged and undone, with why and an undo.
/* global make, bdi, shownTime */
import { get } from "./api.js";
import { mayChange, undo } from "./actions.js";
import { action, factItem, link, loading, quiet } from "./parts.js";
import { view } from "./routes.js";

const PAGE = 40;
const WORDS = { ADD: "learnt", UPDATE: "replaced", DELETE: "ended", MERGE: "merged", UNMERGE: "split", UNDO: "undone" };

view("changes", () =>
  loading(async (element) => {
    element.replaceChildren(make("h2", {}, "What changed lately"));
    await more(element, 0, new Set(), "");
    if (element.childElementCount < 2) element.append(quiet("Nothing has changed yet."));
  }));

async function more(element, offset, undone, lastDay) {
  const found = await get("changes", { limit: PAGE, offset });
  let day = lastDay;
  for (const decision of found.decisions) {
    for (const target of decision.operation === "UNDO" ? decision.targets : []) undone.add(target);
    const on = decision.at.slice(0, 10);
    if (on !== day) element.append(make("h3", {}, on));
    day = on;
    element.append(changed(decision, found, undone.has(decision.id)));
  }
  if (found.next === null) return;
  const button = action("Earlier", async () => {
    button.disabled = true;
    await more(element, found.next, undone, day);
    button.remove();
  });
  element.append(button);
}

function changed(decision, { facts, entities }, isUndone) {
  const { operation, reason, fact_id: id, targets, at, decided_by: by } = decision;
  const old = targets.filter((each) => facts[each] && each !== id).map((each) => factItem(facts[each]));
  const names = targets.filter((each) => entities[each]).map((each) => link(entities[each].name, "entity", entities[each].id));
  const what = decision.triple.text && !facts[id] && !old.length ? make("p", { dir: "auto" }, decision.triple.text) : "";
  return make("article", { class: `change ${operation.toLowerCase()}${isUndone ? " is-undone" : ""}` },
    make("header", {}, make("span", {}, make("b", {}, WORDS[operation] || operation), " ", isUndone ? make("span", { class: "badge" }, "undone since") : ""),
      make("time", {}, shownTime(at).slice(11))),
    facts[id] ? make("ul", { class: "facts" }, factItem(facts[id])) : "",
    old.length ? make("ul", { class: "facts old" }, ...old) : "",
    names.length ? make("p", {}, ...names.flatMap((name, i) => (i ? [" and ", name] : [name]))) : "",
    what,
    make("p", { class: "edge" }, bdi(reason), reason.endsWith("by hand") ? "" : ` · by ${by === "user" ? "hand" : by}`),
    mayChange() && !isUndone ? make("p", { class: "buttons" }, action("Undo…", () => undo(decision))) : "");
}
