// The view of a message in its conversation, with the messages before and after it.
/* global make, bdi */
import { get } from "./api.js";
import { action, loading, quiet, turn } from "./parts.js";
import { view } from "./routes.js";

const STEP = 5;

view("message", (id) => loading((element) => show(element, id, STEP)));

async function show(element, id, turns, before = 0) {
  const messages = await get(["messages", id, "conversation"], { turns });
  const here = messages.findIndex((message) => message.id === id);
  const items = messages.map((message, i) => turn(message, { here: i === here }));
  const { source, session } = messages[here];
  const wider = messages.length > before && turns < 200;
  element.replaceChildren(
    make("p", {}, action("← Back", () => history.back())),
    make("h2", {}, "In its conversation"),
    quiet(bdi(source), session ? " · " : "", session ? bdi(session) : ""),
    ...items,
    wider ? make("p", {}, action("More before and after", () => show(element, id, Math.min(200, turns * 2), messages.length))) : "",
  );
  if (before) items[here].scrollIntoView({ block: "center" });
}
