// Makes the card of all pairs that of the reader's first two signs or, if she has one sign, of its pairs.
{
  const card = document.querySelector("[data-names]");
  const names = new URLSearchParams(card.dataset.names);
  const link = card.firstElementChild;
  const note = link.lastElementChild;
  const { href } = link;
  const dedicate = () => {
    let stored = "";
    try {
      stored = localStorage.getItem("almanac signs") ?? "";
    } catch {}
    const two = stored
      .split(" ")
      .filter((sign) => names.has(sign))
      .slice(0, 2);
    card.className = `hue ${two[0] ?? ""}`;
    link.href = href + (two.length > 0 ? `${two.join("-")}/` : "");
    note.textContent = two.map((sign) => names.get(sign)).join(" · ");
    note.hidden = two.length === 0;
  };
  dedicate();
  addEventListener("storage", dedicate);
}
