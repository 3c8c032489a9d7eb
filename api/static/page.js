// Shows an answer as it is written: what was understood, the sources, and each sentence once it is checked.
// Without it, the same forms bring the same page at once.
"use strict";

(() => {
  const MARKS = { supported: "\u2713", contradicted: "\u2260 contradicted by its source", no_evidence: "? not in its source" };
  let running = new AbortController();

  const put = (parent, tag, text, name = "") => {
    const made = document.createElement(tag);
    made.textContent = text;
    made.className = name;
    parent.append(made, " ");
    return made;
  };

  const link = (parent, text, section, start, end) => {
    const made = put(parent, "a", text);
    made.href = `/sections/${encodeURIComponent(section)}` + (end ? `?start=${start}&end=${end}#cited` : "");
    return made;
  };

  const show = (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    document.title = page.title;
    document.querySelector("main").replaceWith(page.querySelector("main"));
    const place = document.querySelector("#problem, #answer") ?? document.querySelector("h1");
    place.tabIndex = -1;
    place.focus();
  };

  const finish = (html) => {
    history.pushState({ html }, "");
    show(html);
  };

  const begin = () => {
    const main = document.querySelector("main");
    main.querySelectorAll("h1 ~ :not([aria-label=Ask]):not(.notice)").forEach((old) => old.remove());
    const section = document.createElement("section");
    section.setAttribute("aria-live", "polite");
    main.querySelector(".notice").before(section);
    put(section, "h2", "Answer", "writing");
    const place = { understood: put(section, "p", "", "understood"), answer: put(section, "div", "", "answer") };
    place.state = put(section, "p", "Looking for passages \u2026", "says");
    place.sources = put(section, "ul", "", "listed");
    return place;
  };

  const told = {
    understood: (place, value) => {
      const names = value.entities.map((one) => `${one.name} (${one.label})`).join(", ");
      place.understood.textContent = `Understood as: \u201c${value.understood}\u201d ${names && "\u2013 "}${names}`;
    },
    sources: (place, value) => {
      place.state.textContent = "The language model writes; each sentence is shown once it is checked. What was found:";
      for (const one of value) {
        if (one.section) link(put(place.sources, "li", ""), `${one.title}: ${one.question || one.type || "text"}`, one.section);
      }
    },
    sentence: (place, value) => {
      const line = put(place.answer, "p", `${value.text} `);
      for (const one of value.citations) link(line, `[${one.title}]`, one.section, one.start, one.end).className = "cite";
      put(line, "span", MARKS[value.verdict], value.verdict === "supported" ? "checked" : "checked fault");
    },
    done: (place, value) => finish(value),
    error: (place, value) => { throw new Error(value.detail); },
  };

  const follow = async (body, place) => {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let held = "", last = "";
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const blocks = (held + piece.value).split("\n\n");
      held = blocks.pop();
      for (const block of blocks) {
        const [, name, data] = block.match(/^event: (\w+)\ndata: ([^]*)$/) ?? [];
        if (name in told) told[last = name](place, JSON.parse(data));
      }
    }
    if (last !== "done") throw new Error("The answer was cut off.");
  };

  const ask = async (form, button) => {
    running.abort();
    const { signal } = (running = new AbortController());
    const body = new URLSearchParams(new FormData(form, button));
    const place = begin();
    try {
      const headers = { Accept: "text/event-stream, text/html;q=0.9" };
      const reply = await fetch(form.action, { method: "POST", body, headers, signal });
      if (reply.headers.get("Content-Type").startsWith("text/event-stream")) await follow(reply.body, place);
      else finish(await reply.text());
    } catch (error) {
      if (signal.aborted) return;
      place.state.textContent = `${error.message} Ask again.`;
      place.state.className = "problem";
    }
  };

  document.addEventListener("submit", (event) => {
    if (event.target.method !== "post") return;
    event.preventDefault();
    ask(event.target, event.submitter);
  });
  // The way back from a passage leads to the answer, as it does where a page was posted.
  addEventListener("popstate", (event) => (event.state?.html ? show(event.state.html) : location.reload()));
  if (history.state?.html) show(history.state.html);
})();
