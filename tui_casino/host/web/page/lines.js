// The house line by line: a log that is only added to. What is said is text, and nothing else.
const MOST = 5000; // lines that can be read again
const SETTLED = 500; // milliseconds after which what was added is read out no more

export class Log {
  #log;
  #decoder = new TextDecoder();
  #rest = ""; // of a line that is not whole yet
  heard = 0; // the place in the house's transcript up to which it stands here

  constructor(log) {
    this.#log = log;
  }

  // What comes next is from this place on: that of a line that goes on, or of another visit.
  begin(place) {
    if (place === this.heard) {
      return;
    }
    if (place > this.heard && this.heard > 0) {
      this.#add(["Some lines were left out."]);
    }
    this.forget();
    this.heard = place;
  }

  // Another visit may be told: nothing of it stands here yet.
  forget() {
    this.#decoder = new TextDecoder();
    this.#rest = "";
    this.heard = 0;
  }

  // What was said long ago, and stands here again, is not to be read out.
  takeBack(bytes) {
    this.#log.setAttribute("aria-live", "off");
    this.take(bytes);
    setTimeout(() => this.#log.setAttribute("aria-live", "polite"), SETTLED);
  }

  take(bytes) {
    this.heard += bytes.length;
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = lines.pop();
    this.#add(lines);
  }

  get empty() {
    return this.#log.childElementCount === 0;
  }

  clear() {
    this.#log.replaceChildren();
  }

  #add(lines) {
    const added = lines.map((line) => {
      const one = document.createElement("p");
      one.textContent = line;
      return one;
    });
    this.#log.append(...added);
    while (this.#log.childElementCount > MOST) {
      this.#log.firstElementChild.remove();
    }
    this.toEnd();
  }

  toEnd() {
    this.#log.scrollTop = this.#log.scrollHeight;
  }
}
