"use strict";
// Single keys for what the page's buttons do. Without scripts the buttons, access keys and links do the same.
const note = document.getElementById("note");
let sent = false;
for (const form of document.forms) {
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
  });
}
// Back to a page that the browser kept: its forms may be sent again; the server knows what stands.
addEventListener("pageshow", () => { sent = false; });
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return;
  if (event.key === "Escape" && document.activeElement) document.activeElement.blur();
  if (/^(TEXTAREA|INPUT|SELECT)$/.test(event.target.tagName)) return;
  const key = event.key.toLowerCase();
  if (key === "?") {
    const help = document.querySelector("[data-help]");
    if (help) help.open = !help.open;
    return;
  }
  if (!/^[a-z]$/.test(key)) return;
  const target = document.querySelector(`[data-key="${key}"]`);
  if (!target) return;
  event.preventDefault();
  if (target === note) note.focus();
  else target.click();
});
