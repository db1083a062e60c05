// Screen-reader mode: a log that lines of plain text are appended to.
const MOST = 5000; // lines that are kept
const MOST_RECALLED = 100; // sent lines that the arrow keys bring back
const SETTLED = 500; // milliseconds after which added lines are not read out any more

export class Log {
  #log;
  #decoder = new TextDecoder();
  #rest = ""; // the start of an unfinished line
  heard = 0; // position in the server's transcript up to which the log has it

  constructor(log) {
    this.#log = log;
  }

  // The next bytes begin at this position: of the same visit or of another one.
  begin(place) {
    if (place === this.heard) {
      return;
    }
    if (place > this.heard && this.heard > 0) {
      this.#add(["Some lines are missing."]);
    }
    this.forget();
    this.heard = place;
  }

  // Prepare for another visit, of which the log has nothing yet.
  forget() {
    this.#decoder = new TextDecoder();
    this.#rest = "";
    this.heard = 0;
  }

  // Show old lines again, without having them read out.
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

// The lines that were sent, which the arrow keys bring back.
export class Recall {
  #sent = [];
  #at = 0;
  #draft = ""; // what was typed before the first step back

  add(line) {
    if (line !== "" && line !== this.#sent.at(-1)) {
      this.#sent.push(line);
    }
    this.#sent = this.#sent.slice(-MOST_RECALLED);
    this.#at = this.#sent.length;
    this.#draft = "";
  }

  // Return the line to show after a step back or forward.
  go(step, line) {
    if (this.#at === this.#sent.length) {
      this.#draft = line;
    }
    this.#at = Math.min(this.#sent.length, Math.max(0, this.#at + step));
    return this.#sent[this.#at] ?? this.#draft;
  }
}
