// Makes the card of all pairs that of the reader's first two signs or, if she has one sign, of its pairs.
{
  const list = document.currentScript.previousElementSibling;
  const names = new URLSearchParams(list.dataset.names);
  let stored = "";
  try {
    stored = localStorage.getItem("almanac signs") ?? "";
  } catch {}
  const signs = stored.split(" ").filter((sign) => names.has(sign));
  const two = signs.slice(0, 2);
  if (two.length > 0) {
    const link = list.querySelector('a[href$="/love-compatibility/"]');
    const note = document.createElement("span");
    note.className = "small";
    note.textContent = two.map((sign) => names.get(sign)).join(" · ");
    link.append(note);
    link.href += `${two.join("-")}/`;
    link.parentElement.className = `hue ${two[0]}`;
  }
}
