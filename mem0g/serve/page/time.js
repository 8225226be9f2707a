// The time slider over the whole memory: what is drawn and answered is as of its day.
/* global state, days, startTimeline, page, DAY, isoDay */
import { get } from "./api.js";

const WAIT = 250; // milliseconds after the last move of the slider until the memory of that day is asked for

let waiting = 0;

// The day that is chosen, as YYYY-MM-DD; null at the end, which is now.
export function asOf() {
  return days.length && state.day < days[days.length - 1] ? isoDay(state.day) : null;
}

export async function loadDays() {
  const found = await get("days");
  startTimeline(found.map(({ day }) => Date.parse(day)).filter(Number.isFinite));
}

export function onDay(changed) {
  page.dayChanged = () => {
    clearTimeout(waiting);
    waiting = setTimeout(changed, WAIT);
  };
}
