// The API of the server: the key, the scope, and errors as one line. Nothing but this file sends requests.

const KEY = "mem0g-key";
const SCOPE = "mem0g-scope";

export class ApiError extends Error {
  constructor(status, { detail, hint }) {
    super(typeof detail === "string" ? detail : `the server answered with status ${status}`);
    this.status = status;
    this.hint = hint || "";
  }
}

// The key stays in this tab: sessionStorage ends with it.
export const key = {
  get: () => sessionStorage.getItem(KEY) || "",
  set: (value) => (value ? sessionStorage.setItem(KEY, value) : sessionStorage.removeItem(KEY)),
  usable: (value) => /^[\x21-\x7e]{1,500}$/.test(value),
};

// The scope of all requests: {user_id, agent_id, run_id}, each a text or absent.
export const scope = {
  value: {},
  chosen: () => Object.keys(scope.value).length > 0,
  remembered: () => sessionStorage.getItem(SCOPE) || "",
  choose(value) {
    scope.value = Object.fromEntries(Object.entries(value).filter(([, part]) => part));
    sessionStorage.setItem(SCOPE, JSON.stringify(scope.value));
  },
};

let askForKey = async () => "";
let asking = null;

// `ask(reason)` resolves to a key that the user typed; it is called when the server refuses a request without one.
export function onKeyNeeded(ask) {
  askForKey = ask;
}

async function newKey(reason) {
  asking = asking || askForKey(reason).finally(() => (asking = null)); // requests at the same time ask once
  key.set(await asking);
}

async function send(method, path, query, body) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given).toString();
  const headers = key.get() ? { Authorization: `Bearer ${key.get()}` } : {};
  if (body) headers["Content-Type"] = "application/json";
  const options = { method, headers, credentials: "omit", cache: "no-store", body: body && JSON.stringify(body) };
  try {
    return await fetch(`/api/v1/${path}${search ? `?${search}` : ""}`, options);
  } catch {
    throw new ApiError(0, { detail: "the server does not answer", hint: "is it still running?" });
  }
}

async function request(method, path, query = {}, body = undefined) {
  for (;;) {
    const sent = key.get();
    const answer = await send(method, path, query, body);
    if (answer.status === 401) {
      if (sent === key.get()) await newKey(sent ? "The server does not know this key." : "");
      continue; // with the key that was typed now, or meanwhile
    }
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new ApiError(answer.status, said);
    return said;
  }
}

// Paths are given in parts, each of which is quoted: get(["facts", id, "why"]).
const joined = (path) => [path].flat().map(encodeURIComponent).join("/");

export const unscoped = (path, query) => request("GET", joined(path), query);
export const get = (path, query = {}) => request("GET", joined(path), { ...query, ...scope.value });
export const post = (path, body = {}, query = {}) => request("POST", joined(path), query, { ...body, ...scope.value });
export const patch = (path, body = {}) => request("PATCH", joined(path), {}, { ...body, ...scope.value });
