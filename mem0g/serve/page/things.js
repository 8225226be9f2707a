// The view of all people and things, by type: the way in.
/* global make, bdi, dot, plural */
import { get } from "./api.js";
import { entityItem, action, loading, quiet } from "./parts.js";
import { view } from "./routes.js";
import { colourOf } from "./walk.js";

const PAGE = 50;
const OPEN = 12; // entities from which on a type is closed at first

view("", () =>
  loading(async (element) => {
    const { types, total } = await get("directory", { limit: 1 });
    const all = types.filter(({ type }) => type.trim()).concat(types.filter(({ type }) => !type.trim()));
    element.replaceChildren(
      make("h2", {}, "People and things"),
      total ? quiet("Choose one to see what is known of it and around it, or ask above.") : quiet("Nothing is remembered here yet."),
      ...all.map((each, i) => section(each, i === 0 || each.entities <= OPEN && i < 4)),
    );
  }));

function section({ type, entities }, open) {
  const list = make("ul", { class: "things" });
  const more = make("p", {});
  const element = make("details", { class: "type", ontoggle: () => element.open && !list.childElementCount && fill(type, list, more) },
    make("summary", {}, dot(colourOf(type)), bdi(type.trim() || "no type"), make("small", {}, entities.toLocaleString("en"))), list, more);
  element.open = open;
  return element;
}

async function fill(type, list, more) {
  more.replaceChildren("Loading…");
  try {
    const found = await get("directory", { kind: type.trim() || " ", limit: PAGE, offset: list.childElementCount });
    list.append(...found.entities.map((entity) => entityItem(entity, colourOf(entity.type))));
    const left = found.total - list.childElementCount;
    more.replaceChildren(...(left > 0 ? [action(`${plural(left, "more", "more")}: show the next ${Math.min(left, PAGE)}`, () => fill(type, list, more))] : []));
  } catch (error) {
    more.replaceChildren(error.message);
  }
}
