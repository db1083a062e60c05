// The terminal writes its colours into style attributes and style elements, which the page's content
// security policy forbids. It allows style sheets and style properties that a script makes, so these
// are used instead. This file must be loaded before the terminal.
"use strict";
{
  const setAttribute = Element.prototype.setAttribute;
  Element.prototype.setAttribute = function (name, value) {
    if (name === "style") {
      this.style.cssText = value;
    } else {
      setAttribute.call(this, name, value);
    }
  };

  const createElement = document.createElement;
  document.createElement = function (name, options) {
    if (name !== "style") {
      return createElement.call(document, name, options);
    }
    const element = createElement.call(document, "template"); // an element without any effect
    const sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    Object.defineProperty(element, "textContent", {
      get: () => [...sheet.cssRules].map((rule) => rule.cssText).join("\n"),
      set: (text) => sheet.replaceSync(text),
    });
    element.remove = () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
      Element.prototype.remove.call(element);
    };
    return element;
  };
}
