// The page: a terminal or a log of lines, the socket that its visit is played over, who one is.
import { Log } from "./lines.js";
import { FitAddon } from "./vendor/addon-fit.mjs";
import { Terminal } from "./vendor/xterm.mjs";

const ENDED = 4000; // the visit is over: what was said last is the reason
const MOVED = 4001; // another window of this browser has it now
const PIECE = 16 << 10; // bytes of a message
const MOST_PASTED = 1 << 20;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000; // milliseconds between two tries to connect again, and for an answer
const FONT = '"Casino Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';

const at = (id) => document.getElementById(id);
const kept = {
  get: (name, other) => {
    try {
      return localStorage.getItem(name) ?? other;
    } catch {
      return other; // a browser that keeps nothing
    }
  },
  set: (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // it is asked again next time
    }
  },
};

const term = new Terminal({
  fontFamily: FONT,
  fontSize: Number(kept.get("size", 15)) || 15,
  scrollback: 0,
  macOptionClickForcesSelection: true,
  screenReaderMode: kept.get("reader", "") === "on",
  theme: { background: "#101418", foreground: "#d8dee6" },
});
const fit = new FitAddon();
term.loadAddon(fit);
window.term = term; // what a browser's tools and tests read

const log = new Log(at("log"));
let wanted = { on: true, off: false }[kept.get("lines", "")] ?? null; // lines; else by the settings
let inLines = wanted ?? false;
let guest = false;

let socket = null;
let wait = FIRST_WAIT;
let retry = 0;

let unsent = false; // whether something was typed while the line is cut

const state = (text) => {
  unsent &&= text !== "";
  at("state").textContent = unsent ? `${text} What you typed was not sent.` : text;
};

async function ask(path, body) {
  const answer = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    signal: AbortSignal.timeout(LONGEST_WAIT),
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const told = await answer.text();
  try {
    return { ok: answer.ok, ...JSON.parse(told) };
  } catch {
    return { ok: answer.ok, why: told };
  }
}

// ---- the terminal ------------------------------------------------------------------------------

const sized = () => ({ columns: term.cols, rows: term.rows });

// Tells whether it was sent; what is typed while the line is cut goes nowhere, and that is said.
function send(bytes, typed = true) {
  if (socket?.readyState !== WebSocket.OPEN) {
    if (typed) {
      unsent = true;
      state("Not connected yet.");
    }
    return false;
  }
  for (let from = 0; from < Math.min(bytes.length, MOST_PASTED); from += PIECE) {
    socket.send(bytes.slice(from, from + PIECE));
  }
  return true;
}

const utf8 = new TextEncoder();
const UNTYPED = /^\x1b\[[<?IO]/; // the mouse, the focus, and what the terminal answers by itself
term.onData((text) => send(utf8.encode(text), !UNTYPED.test(text)));
term.onBinary((text) => send(Uint8Array.from(text, (letter) => letter.charCodeAt(0)), false));
term.onResize(() => {
  if (socket?.readyState === WebSocket.OPEN) {
    socket.send(JSON.stringify(sized()));
  }
});

function fitted() {
  if (!at("terminal").hidden) {
    fit.fit();
  }
}

function enlarge(by) {
  term.options.fontSize = Math.min(40, Math.max(8, term.options.fontSize + by));
  kept.set("size", term.options.fontSize);
  fitted();
  focused();
}

// ---- line by line ------------------------------------------------------------------------------

function show(lines) {
  inLines = lines;
  at("by-lines").setAttribute("aria-pressed", String(lines));
  at("reader").hidden = lines;
  at("lines").hidden = !lines;
  at("lines").style.fontSize = `${term.options.fontSize}px`;
  at("typing").hidden = false;
  at("terminal").hidden = lines;
  fitted();
}

function focused() {
  if (inLines) {
    at("lines").style.fontSize = `${term.options.fontSize}px`;
    at("line").focus();
  } else {
    term.focus();
  }
}

at("typing").onsubmit = (submitted) => {
  submitted.preventDefault();
  if (send(utf8.encode(`${at("line").value}\n`))) {
    at("line").value = "";
  }
};
at("by-lines").onclick = () => {
  const anew = "A guest begins anew then, with another purse. Shall it be so?";
  if (at("entrance").hidden && guest && !confirm(anew)) {
    return;
  }
  wanted = !inLines;
  kept.set("lines", wanted ? "on" : "off");
  if (at("entrance").hidden) {
    hangUp();
    comeIn();
  } else {
    inLines = wanted;
    at("by-lines").setAttribute("aria-pressed", String(wanted));
  }
};

function readOut(on) {
  term.options.screenReaderMode = on;
  at("reader").setAttribute("aria-pressed", String(on));
  kept.set("reader", on ? "on" : "off");
}

// what the game gives to be pasted elsewhere (OSC 52); what is there to be pasted it is not told
term.parser.registerOscHandler(52, (told) => {
  const coded = told.split(";")[1] ?? "";
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(coded) && coded.length % 4 === 0) {
    const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
    navigator.clipboard?.writeText(new TextDecoder().decode(bytes)).catch(() => {});
  }
  return true;
});

// ---- the visit ---------------------------------------------------------------------------------

function connect() {
  clearTimeout(retry);
  const url = new URL("play", location.href);
  url.protocol = url.protocol.replace("http", "ws");
  url.hash = "";
  const line = new WebSocket(url);
  line.binaryType = "arraybuffer";
  socket = line;
  line.onopen = () => {
    line.send(JSON.stringify({ ...sized(), lines: wanted, heard: log.heard }));
  };
  let told = null; // whether lines come by this socket
  let back = false; // whether what comes next was said before
  line.onmessage = (message) => {
    wait = FIRST_WAIT;
    state("");
    const lines = typeof message.data === "string" || told === true;
    if (lines !== inLines) {
      show(lines);
      focused();
    }
    told = lines;
    if (typeof message.data === "string") {
      const { lines: place, again } = JSON.parse(message.data);
      back = again && log.heard === 0;
      log.begin(place);
    } else if (lines && back) {
      back = false;
      log.takeBack(new Uint8Array(message.data));
      state("You are back: repeat says what was said last.");
    } else if (lines) {
      log.take(new Uint8Array(message.data));
    } else {
      term.write(new Uint8Array(message.data));
    }
  };
  line.onclose = (closed) => {
    if (socket !== line) {
      return;
    }
    socket = null;
    if (closed.code === ENDED) {
      stopped(closed.reason || "You have left.");
    } else if (closed.code === MOVED) {
      stopped("Another window of this browser took the game over.");
    } else {
      state("The line was cut. Connecting again…");
      retry = setTimeout(comeIn, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
  };
}

function hangUp() {
  const line = socket;
  socket = null;
  line?.close();
  clearTimeout(retry);
  term.reset();
  log.forget();
}

function stopped(why) {
  state("");
  entrance(why);
  at("again").hidden = false;
  at("again").focus();
}

function entrance(why) {
  at("why").textContent = why;
  at("entrance").hidden = false;
  at("terminal").hidden = true;
  at("lines").hidden = !inLines || log.empty; // what was said last can still be read
  at("typing").hidden = true;
  log.toEnd();
  at("guest").hidden = true;
  at("again").hidden = true;
}

async function comeIn() {
  let who;
  try {
    who = await ask("who");
  } catch {
    who = { ok: false };
  }
  if (!who.ok) {
    state("The house does not answer. Trying again…");
    retry = setTimeout(comeIn, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
    return;
  }
  guest = who.guest;
  at("leave").hidden = who.name === null && !who.guest;
  if (who.name === null && !who.guest) {
    state("");
    entrance("Welcome. Nobody knows this browser yet.");
    at("guest").hidden = !who.guests;
    return;
  }
  const back = at("entrance").hidden && at("lines").contains(document.activeElement);
  at("entrance").hidden = true;
  show(wanted ?? inLines);
  if (!back) {
    focused(); // else one is reading there, or types
  }
  connect();
}

async function follow(link) {
  history.replaceState(null, "", location.pathname); // nobody reads it over a shoulder, or again
  const answer = await ask("enter", { link });
  return answer.ok ? null : answer.why;
}

async function begin() {
  await Promise.all([
    document.fonts.load(`15px ${FONT}`),
    document.fonts.load(`bold 15px ${FONT}`),
  ]).catch(() => []);
  term.open(at("terminal"));
  readOut(term.options.screenReaderMode);
  show(inLines);
  new ResizeObserver(fitted).observe(at("terminal"));
  await arrive();
}

async function arrive() {
  const link = location.hash.slice(1);
  const why = link === "" ? null : await follow(link).catch(() => "The house does not answer.");
  await comeIn();
  if (why !== null) {
    state(why);
  }
}

window.addEventListener("hashchange", () => {
  if (location.hash.length > 1) {
    hangUp();
    log.clear();
    arrive();
  }
});
window.addEventListener("online", () => {
  if (socket === null && at("entrance").hidden) {
    clearTimeout(retry);
    comeIn();
  }
});
at("smaller").onclick = () => enlarge(-1);
at("larger").onclick = () => enlarge(1);
at("reader").onclick = () => {
  readOut(!term.options.screenReaderMode);
  term.focus();
};
at("guest").onclick = async () => {
  await ask("enter", { guest: true });
  comeIn();
};
at("again").onclick = () => {
  hangUp();
  comeIn();
};
at("leave").onclick = async () => {
  hangUp();
  log.clear();
  await ask("leave", {});
  comeIn();
};
begin();
