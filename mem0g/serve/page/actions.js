// What changes the memory: correct, retire, merge, split, undo; each after a confirmation.
/* global make, bdi */
import { patch, post } from "./api.js";
import { ask, notice, say } from "./dialogs.js";
import { named } from "./parts.js";

let allowed = false;
let changed = async () => {};

// `onChange` is called after each change, to load anew what is shown.
export function allowChanges(isAllowed, onChange) {
  [allowed, changed] = [isAllowed, onChange];
}

export function mayChange() {
  return allowed;
}

async function confirmed(question, done) {
  const answer = await ask(question);
  if (answer === null) return;
  notice(done);
  await changed();
}

export function correct(fact) {
  const before = { text: fact.text, subject: fact.subject.name, relation: fact.relation, object: fact.object.name, valid_from: fact.valid_from, valid_to: fact.valid_to };
  const labels = { text: "Sentence", subject: "Subject", relation: "Relation", object: "Object", valid_from: "True since (2023, 2023-05, 2023-05-07)", valid_to: "True until" };
  return confirmed({
    title: "Correct this fact",
    text: ["What you leave as it is stays. The wrong fact is kept as history, and the change can be undone."],
    fields: Object.entries(labels).map(([name, label]) => ({ name, label, value: before[name], type: name === "text" ? "long" : "text" })),
    confirm: "Correct it",
    run: (given) => {
      const body = Object.fromEntries(Object.entries(given).filter(([name, value]) => value && value !== before[name].trim()));
      if (!Object.keys(body).length) throw new Error("Nothing was changed.");
      return patch(["facts", fact.key], body);
    },
  }, "Corrected. “Changes” has an undo.");
}

export function retire(fact) {
  return confirmed({
    title: "No longer true?",
    text: say`${fact.text} It stays as history, and this can be undone.`,
    fields: [{ name: "valid_to", label: "True until (2023, 2023-05, 2023-05-07; empty: now)" }, { name: "reason", label: "Why", value: "no longer true", required: true }],
    confirm: "Retire it",
    run: ({ valid_to: end, reason }) => post(["facts", fact.key, "retire"], { reason, ...(end ? { valid_to: end } : {}) }),
  }, "Retired. “Changes” has an undo.");
}

export function merge(node) {
  const known = new Map();
  const suggest = async (part, list) => {
    const found = (await named(part)).filter((each) => each.id !== node.id);
    for (const each of found) known.set(each.name, each.id);
    list.replaceChildren(...found.map((each) => make("option", { value: each.name })));
  };
  return confirmed({
    title: "Merge",
    text: say`Another name for ${node.name}: its names and facts become those of this entity. This can be undone.`,
    fields: [{ name: "other", label: "The other one: a name, or an id", required: true, suggest }],
    confirm: "Merge them",
    run: ({ other }) => post(["entities", "merge"], { entity: node.id, other: known.get(other) || other }),
  }, "Merged. “Changes” has an undo.");
}

export function split(node) {
  return confirmed({
    title: "Split off a name",
    text: say`The name becomes an entity beside ${node.name}, with the facts that were stated under it. This can be undone.`,
    fields: [{ name: "other", label: "The name", options: node.aliases }],
    confirm: "Split it off",
    run: ({ other }) => post(["entities", "unmerge"], { entity: node.id, other }),
  }, "Split. “Changes” has an undo.");
}

export function undo({ id, operation, reason, triple }) {
  return confirmed({
    title: "Undo?",
    text: say`${triple.text || operation} (${reason}) What was before is restored, as a new change.`,
    fields: [{ name: "cascade", label: "Also undo later changes that depend on it", type: "checkbox" }],
    confirm: "Undo it",
    run: ({ cascade }) => post(["decisions", id, "undo"], {}, cascade ? { cascade } : {}),
  }, "Undone.");
}
