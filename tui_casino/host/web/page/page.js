// The web client: a terminal or a log of lines, the socket of the visit, and login.
import { Log, Recall } from "./lines.js";
import { FitAddon } from "./vendor/addon-fit.mjs";
import { WebglAddon } from "./vendor/addon-webgl.mjs";
import { Terminal } from "./vendor/xterm.mjs";

const ENDED = 4000; // the visit is over; the close reason is the last message
const MOVED = 4001; // another window of this browser has taken the visit over
const RESTARTS = 4002; // the server stops, and probably comes back
const PIECE = 16 << 10; // bytes of a message
const MOST_PASTED = 1 << 20;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 10_000; // milliseconds between two attempts to reconnect, and for an answer
const FONT = '"Casino Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';

const at = (id) => document.getElementById(id);
const kept = {
  get: (name, other) => {
    try {
      return localStorage.getItem(name) ?? other;
    } catch {
      return other; // the browser does not store anything
    }
  },
  set: (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // the setting is lost, which does no harm
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
window.term = term; // for the browser's tools and the tests

const log = new Log(at("log"));
let wanted = { on: true, off: false }[kept.get("lines", "")] ?? null; // screen-reader mode; null: as in the settings
let inLines = wanted ?? false;
let guest = false;

let socket = null;
let wait = FIRST_WAIT;
let retry = 0;

let unsent = false; // whether something was typed while disconnected

const state = (text) => {
  unsent &&= text !== "";
  at("state").textContent = unsent ? `${text} Your input was not sent.` : text;
};

async function ask(path, body) {
  const answer = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    signal: AbortSignal.timeout(LONGEST_WAIT),
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  try {
    return { ok: answer.ok, ...JSON.parse(text) };
  } catch {
    return { ok: answer.ok, why: text };
  }
}

// ---- the terminal ------------------------------------------------------------------------------

const sized = () => ({ columns: term.cols, rows: term.rows });

// Returns whether it was sent; input without a connection is dropped, with a message.
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
const UNTYPED = /^\x1b\[[<?IO]/; // mouse, focus, and replies of the terminal itself
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

// ---- screen-reader mode ------------------------------------------------------------------------

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

const recall = new Recall();
at("typing").onsubmit = (submitted) => {
  submitted.preventDefault();
  if (send(utf8.encode(`${at("line").value}\n`))) {
    recall.add(at("line").value);
    at("line").value = "";
  }
};
at("line").onkeydown = (pressed) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[pressed.key];
  if (step !== undefined) {
    pressed.preventDefault();
    at("line").value = recall.go(step, at("line").value);
  }
};
at("by-lines").onclick = () => {
  const question = "As a guest you will start again with a new balance. Switch anyway?";
  if (at("entrance").hidden && guest && !confirm(question)) {
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

// The game may write to the clipboard (OSC 52), but not read it.
term.parser.registerOscHandler(52, (request) => {
  const coded = request.split(";")[1] ?? "";
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
  let receivesLines = null; // whether this socket is in screen-reader mode
  let back = false; // whether the next bytes were received before
  line.onmessage = (message) => {
    wait = FIRST_WAIT;
    state("");
    const lines = typeof message.data === "string" || receivesLines === true;
    if (lines !== inLines) {
      show(lines);
      focused();
    }
    receivesLines = lines;
    if (typeof message.data === "string") {
      const { lines: place, again } = JSON.parse(message.data);
      back = again && log.heard === 0;
      log.begin(place);
    } else if (lines && back) {
      back = false;
      log.takeBack(new Uint8Array(message.data));
      state("Reconnected. Type repeat for the last lines.");
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
      stopped(closed.reason || "Your visit is over.");
    } else if (closed.code === MOVED) {
      stopped("Your visit continues in another window of this browser.");
    } else {
      state(closed.code === RESTARTS ? "The server stops. Reconnecting…" : "Connection lost. Reconnecting…");
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
  at("lines").hidden = !inLines || log.empty; // the last output stays readable
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
    state("The server does not answer. Trying again…");
    retry = setTimeout(comeIn, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT);
    return;
  }
  guest = who.guest;
  at("leave").hidden = who.name === null && !who.guest;
  if (who.name === null && !who.guest) {
    state("");
    entrance("Welcome. This browser is not logged in.");
    const port = who.ssh === 22 ? "" : `-p ${who.ssh} `;
    at("link-command").textContent = `ssh ${port}${location.hostname} link`;
    at("guest").hidden = !who.guests;
    return;
  }
  const back = at("entrance").hidden && at("lines").contains(document.activeElement);
  at("entrance").hidden = true;
  show(wanted ?? inLines);
  if (!back) {
    focused(); // otherwise keep the focus where the player reads or types
  }
  connect();
}

async function follow(link) {
  history.replaceState(null, "", location.pathname); // remove the secret from the address bar and the history
  const answer = await ask("enter", { link });
  return answer.ok ? null : answer.why;
}

// A canvas leaves no gaps between the block characters of cards; the terminal's own elements do.
function drawOnCanvas() {
  try {
    const canvas = new WebglAddon();
    canvas.onContextLoss(() => canvas.dispose()); // the elements come back
    term.loadAddon(canvas);
  } catch {
    // the browser has no WebGL, and the elements stay
  }
}

async function begin() {
  await Promise.all([
    document.fonts.load(`15px ${FONT}`),
    document.fonts.load(`bold 15px ${FONT}`),
  ]).catch(() => []);
  term.open(at("terminal"));
  drawOnCanvas();
  readOut(term.options.screenReaderMode);
  show(inLines);
  const sizes = new ResizeObserver(fitted);
  sizes.observe(at("terminal"));
  sizes.observe(term.element.querySelector(".xterm-screen")); // cells depend on renderer and zoom
  new ResizeObserver(() => log.toEnd()).observe(at("log"));
  await arrive();
}

async function arrive() {
  const link = location.hash.slice(1);
  const why = link === "" ? null : await follow(link).catch(() => "The server does not answer.");
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
