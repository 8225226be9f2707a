"use strict";
// When facts hold: the days on which the graph changes, and what a fact is on a day.
// Dates come as ISO 8601 at their precision ("2023", "2023-05", "2023-05-07", a time), "" when unknown; all UTC.

const DAY = 24 * 60 * 60 * 1000;

function instant(text, otherwise) {
  const at = text ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? otherwise : at;
}

// From when a fact is drawn: when it became true, else when it was said, else always.
function startOf(fact) {
  return instant(fact.valid_from, instant(fact.said_at, -Infinity));
}

// From when a fact is drawn as retired. One that is current never is: what happened stays true.
function endOf(fact) {
  return fact.current ? Infinity : instant(fact.valid_to, instant(fact.retired_at, -Infinity));
}

// The days on which something starts or ends, in order, as the instant each begins.
function changeDays(facts) {
  const times = facts.flatMap((fact) => [startOf(fact), endOf(fact)]).filter(Number.isFinite);
  return [...new Set(times.map((at) => Math.floor(at / DAY) * DAY))].sort((a, b) => a - b);
}

// "hidden" (not yet valid), "retired" or "current" at the end of the day that begins at `day`.
function stateOn(fact, day) {
  if (startOf(fact) >= day + DAY) return "hidden";
  return endOf(fact) >= day + DAY ? "current" : "retired";
}

function isoDay(at) {
  return new Date(at).toISOString().replace(/T.*/, "");
}

// "2023-05-07T13:56:00Z" as "2023-05-07 13:56"; a date stays as precise as it is.
function shownTime(text) {
  const clock = /T(\d\d:\d\d)/.exec(text);
  return clock ? `${text.slice(0, text.indexOf("T"))} ${clock[1]}` : text;
}

// When it was true, in words; of a plan, when it is for.
function interval(fact) {
  const plan = fact.planned_for ? `planned for ${shownTime(fact.planned_for)}` : "";
  return [plan, span(fact), fact.past_plan ? "unanswered" : ""].filter(Boolean).join(", ");
}

function span(fact) {
  const [from, to] = [fact.valid_from.slice(0, 10), fact.valid_to.slice(0, 10)];
  if (from && to) return from === to ? from : `${from} to ${to}`;
  if (from) return fact.current ? `since ${from}` : `from ${from}`;
  return to ? `until ${to}` : "";
}
