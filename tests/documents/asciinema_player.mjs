// asciinema-player in a page of jsdom: shows a recording's end, and prints what it shows then.
//   node tests/documents/asciinema_player.mjs FOLDER-OF-NODE_MODULES RECORDING
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [, , folder, recording] = process.argv;
const { JSDOM } = createRequire(`${folder}/`)("jsdom");
const { window } = new JSDOM("<div id=p></div>", { pretendToBeVisual: true });
Object.assign(globalThis, { window, document: window.document });
for (const name of ["Node", "Element", "getComputedStyle", "requestAnimationFrame", "cancelAnimationFrame"])
  globalThis[name] = window[name];
// what jsdom has not: nothing is measured, painted or moved here
globalThis.ResizeObserver = window.ResizeObserver = class { observe() {} disconnect() {} };
window.Element.prototype.animate = () => ({ cancel() {}, play() {}, pause() {} });
const painting = { get: (_, name) => (name === "measureText" ? () => ({ width: 8 }) : () => {}) };
window.HTMLCanvasElement.prototype.getContext = () => new Proxy({}, { ...painting, set: () => true });

const player = pathToFileURL(`${folder}/node_modules/asciinema-player/dist/index.js`);
const { create } = await import(player);
const place = document.getElementById("p");
const data = readFileSync(recording, "utf8");
const shown = create({ data }, place, { preload: true, controls: false, fit: false });
while ((await shown.getDuration()) === undefined) await new Promise((go) => setTimeout(go, 20));
await shown.seek(await shown.getDuration());
await new Promise((go) => setTimeout(go, 300)); // it is drawn with the next frame
for (const line of place.querySelectorAll(".ap-line")) console.log(line.textContent.trimEnd());
process.exit(0);
