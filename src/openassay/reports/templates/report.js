"use strict";
// Filters, copying and opening what a link points to. The page is whole without: tools stay hidden where no script runs.
for (const section of document.querySelectorAll("[data-items]")) {
  const items = [...section.querySelectorAll(".item")];
  const words = items.map((item) => item.dataset.flags.split(" "));
  const texts = [];
  const blocks = [...section.querySelectorAll(".block")];
  const buttons = [...section.querySelectorAll("[data-filter]")];
  const search = section.querySelector("[data-search]");
  const count = section.querySelector("[data-count]");
  let wanted = "";
  const text = (at) => (texts[at] ??= items[at].textContent.toLowerCase());
  const show = () => {
    const sought = search.value.trim().toLowerCase();
    let visible = 0;
    items.forEach((item, at) => {
      const fits = (!wanted || words[at].includes(wanted)) && (!sought || text(at).includes(sought));
      item.hidden = !fits;
      visible += fits;
    });
    for (const block of blocks) block.hidden = !block.querySelector(".item:not([hidden])");
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
  count.textContent = `${items.length} of ${items.length} items`;
}

const open = () => {
  const aim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!aim) return;
  const hidden = aim.closest(".item[hidden]");
  if (hidden) hidden.closest("[data-items]").querySelector("[data-filter='']").click();
  for (let at = aim; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  aim.scrollIntoView();
};
addEventListener("hashchange", open);
if (location.hash) open();

for (const button of document.querySelectorAll("[data-copy]")) {
  const place = button.closest("details");
  const said = button.parentElement.querySelector("[role=status]");
  const read = (name) => place.querySelector(name).textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      const piece = (text, type) => new Blob([text], { type });
      await navigator.clipboard.write([new ClipboardItem({
        "text/plain": piece(read("[data-plain]"), "text/plain"),
        "text/html": piece(read("[data-html]"), "text/html"),
      })]);
      said.textContent = "copied, with all that it rests on";
    } catch {
      getSelection().selectAllChildren(place.querySelector("[data-plain]"));
      said.textContent = "selected below: copy it with the keyboard";
    }
  });
}
