// Where in the page the reader is: the address after "#/", so that links and the back button work.
/* global state, refresh, lens: writable */

const views = new Map();
export const route = { name: "", given: [], element: null };

// A view takes the parts of the address after its name, and returns an element for the panel, or null to draw it itself.
export function view(name, show) {
  views.set(name, show);
}

export function address(...parts) {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export function go(...parts) {
  if (address(...parts) !== (location.hash || "#/")) history.pushState(null, "", address(...parts));
  follow();
}

// Goes on from an address that only leads elsewhere: the back button does not return to it.
export function goInstead(...parts) {
  history.replaceState(null, "", address(...parts));
  follow();
}

export function follow() {
  const [name = "", ...given] = location.hash.replace(/^#\/?/, "").split("/").map(unquoted);
  Object.assign(route, { name: views.has(name) ? name : "", given });
  if (!["entity", "message"].includes(route.name)) [state.node, state.fact, lens] = [null, null, null];
  route.element = views.get(route.name)(...given);
  for (const link of document.querySelectorAll("#views a")) {
    if (link.dataset.view === route.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  refresh();
}

function unquoted(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

window.addEventListener("popstate", follow);
