"use strict";
// Filters over the item list. The page is whole without it: the tools stay hidden where scripts do not run.
for (const section of document.querySelectorAll("[data-items]")) {
  const items = [...section.querySelectorAll(".item")];
  const buttons = [...section.querySelectorAll("[data-filter]")];
  const search = section.querySelector("[data-search]");
  const count = section.querySelector("[data-count]");
  let wanted = "";
  const show = () => {
    const words = search.value.trim().toLowerCase();
    let visible = 0;
    for (const item of items) {
      const fits = (!wanted || item.dataset.flags.split(" ").includes(wanted))
        && (!words || item.textContent.toLowerCase().includes(words));
      item.hidden = !fits;
      visible += fits;
    }
    for (const block of section.querySelectorAll(".block")) {
      block.hidden = !block.querySelector(".item:not([hidden])");
    }
    count.textContent = `${visible} of ${items.length} items`;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      wanted = button.dataset.filter;
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      show();
    });
  }
  search.addEventListener("input", show);
  section.querySelector(".tools").hidden = false;
  show();
}
