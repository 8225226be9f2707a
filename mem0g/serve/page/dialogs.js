// Questions to the user, in a dialog, and notices. Names and messages are put in as text only.
/* global make, byId, bdi */

const dialog = byId("dialog");
let noticeTimer = 0;

export function notice(text) {
  clearTimeout(noticeTimer);
  byId("notice").textContent = text;
  noticeTimer = setTimeout(() => (byId("notice").textContent = ""), 7000);
}

export function failed(error) {
  notice(error.hint ? `${error.message} (${error.hint})` : error.message);
}

// Text in which values are set off from the words around them: say`Merge ${name}?`.
export function say(words, ...values) {
  return words.flatMap((word, i) => (i < values.length ? [word, make("strong", {}, bdi(values[i]))] : [word]));
}

// Asks for `fields` ({name, label, value, type, options, required}) and a confirmation; `run(values)` does what is asked,
// and what it refuses is shown in the dialog. Resolves to what `run` returned, null when the user cancelled.
export function ask({ title, text = [], fields = [], confirm, run, cancel = "Cancel" }) {
  return new Promise((resolve) => {
    const problem = make("p", { class: "problem", role: "alert" });
    const submit = make("button", { type: "submit", class: "main" }, confirm);
    const close = make("button", { type: "button", onclick: () => dialog.close() }, cancel);
    const inputs = fields.map(field);
    const form = make("form", {}, make("h2", { id: "dialog-title" }, title), make("p", {}, ...text),
      ...inputs.map(({ row }) => row), problem, make("p", { class: "buttons" }, cancel ? close : "", submit));
    let result = null;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      submit.disabled = true;
      try {
        result = await run(Object.fromEntries(inputs.map(({ name, read }) => [name, read()])));
        dialog.close();
      } catch (error) {
        problem.textContent = error.hint ? `${error.message} (${error.hint})` : error.message;
      } finally {
        submit.disabled = false;
      }
    });
    dialog.addEventListener("close", () => resolve(result), { once: true });
    dialog.oncancel = cancel ? null : (event) => event.preventDefault();
    dialog.replaceChildren(form);
    dialog.showModal();
    (inputs.length ? inputs[0].input : close).focus();
  });
}

function field({ name, label, value = "", type = "text", options = null, required = false, suggest = null }) {
  if (type === "checkbox") {
    const input = make("input", { type, name });
    return { name, input, read: () => input.checked, row: make("label", { class: "check" }, input, label) };
  }
  const list = suggest ? make("datalist", { id: `${name}-options` }) : "";
  const attributes = { name, required, maxlength: 2000, autocomplete: "off", list: suggest ? `${name}-options` : null };
  const input = options
    ? make("select", { name }, ...options.map((each) => make("option", { value: each }, each)))
    : type === "long" ? make("textarea", { ...attributes, rows: 3, dir: "auto" }) : make("input", { type, dir: "auto", ...attributes });
  if (!options) input.value = value;
  if (suggest) input.addEventListener("input", () => suggest(input.value.trim(), list));
  return { name, input, read: () => input.value.trim(), row: make("label", {}, make("span", {}, label), input, list) };
}
