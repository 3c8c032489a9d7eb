// Comforts only: every page works without them.
"use strict";

// Enter sends a question; a new line is Shift and Enter.
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches("textarea")) return;
  event.preventDefault();
  event.target.form.requestSubmit();
});

// A citation opens its passage where following a link to it does not.
addEventListener("click", (event) => {
  const id = event.target.closest("a.cite")?.hash.slice(1);
  document.getElementById(id)?.closest("details").setAttribute("open", "");
});
