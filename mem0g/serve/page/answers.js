// The view of the answers to a question, each with the reasons for which it was found.
/* global make, bdi, byId */
import { get } from "./api.js";
import { factItem, link, loading, quiet, turn } from "./parts.js";
import { address, view } from "./routes.js";
import { asOf } from "./time.js";

const LIMIT = 20;
const CHANNELS = { anchor: "named", similarity: "means alike", keywords: "same words", nearby: "near others" };

view("answers", (question) => {
  if (!question) return make("section", {}, make("h2", {}, "Answers"), quiet("Ask in the box above: “Where does she live?”, “What happened in May 2023?”"));
  byId("views").querySelector("[data-view=answers]").href = address("answers", question); // the way back to them
  return loading(async (element) => {
    const day = asOf();
    const hits = await get("search", { query: question, limit: LIMIT, as_of: day });
    element.replaceChildren(
      make("h2", { dir: "auto" }, question),
      quiet(day ? `As of ${day}. ` : "", "The best first, with why each was found."),
      hits.length ? make("ol", { class: "hits" }, ...hits.map(hit)) : quiet("Nothing was found."),
    );
  });
});

function hit({ fact, message, text, reasons, score }) {
  const why = make("ul", { class: "reasons", "aria-label": `Found with a score of ${score.toFixed(1)} because` }, ...reasons.map(reason));
  if (fact) return factItem(fact, why);
  return make("li", { class: "fact" }, turn(message, { text }), make("p", { class: "edge" }, link("in its conversation", "message", message.id)), why);
}

function reason({ channel, detail }) {
  return make("li", {}, make("b", {}, CHANNELS[channel] || channel), " ", bdi(detail));
}
