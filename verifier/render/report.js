"use strict";
// The page works without this. It adds: a filtered-out card comes back when it is asked for,
// the card of a claim lights up while its words are pointed at, and print shows everything.
(() => {
  const card = (link) => document.getElementById(link.hash.slice(1));

  const reveal = () => {
    const target = card(location);
    if (!target || !target.classList.contains("card")) return;
    const box = target.closest(".report").querySelector(`input[value="${target.dataset.label}"]`);
    if (box && !box.checked) {
      box.checked = true;
      target.scrollIntoView();
    }
    target.focus({ preventScroll: true });
  };
  addEventListener("hashchange", reveal);
  reveal();

  for (const link of document.querySelectorAll(".run a")) {
    const light = (on) => () => card(link).classList.toggle("near", on);
    link.addEventListener("mouseenter", light(true));
    link.addEventListener("mouseleave", light(false));
    link.addEventListener("focus", light(true));
    link.addEventListener("blur", light(false));
  }

  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details")) part.open = true;
  });
})();
