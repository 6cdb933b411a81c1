// Lets the reader choose up to four signs, her own by her birthday, and shows their texts. The device stores only the signs.
{
  const box = document.currentScript.previousElementSibling;
  const { pages, texts, set } = box.dataset;
  const [chips, shown] = box.querySelectorAll("ul");
  const [chipTemplate, itemTemplate] = box.querySelectorAll("template");
  const [summary, pick, add, clear, month, day, other] = [
    "summary",
    ".pick",
    ".pick button",
    ".clear",
    "[name=month]",
    "[name=day]",
    "[name=other]",
  ].map((place) => box.querySelector(place));
  const options = [...other.options].slice(1);
  const names = new Map(options.map(({ value, text }) => [value, text]));
  const key = "almanac signs";
  const items = new Map();
  let mine = [];

  const copy = ({ content }, sign) => {
    const made = content.firstElementChild.cloneNode(true);
    made.classList.add(sign);
    for (const place of made.querySelectorAll("bdi")) place.textContent = names.get(sign);
    return made;
  };
  const chipOf = (sign) => {
    const chip = copy(chipTemplate, sign);
    chip.firstElementChild.addEventListener("click", () => choose(mine.filter((one) => one !== sign)));
    return chip;
  };
  const load = async (sign, place) => {
    const data = await (await fetch(`${texts}${sign}.json`)).json();
    if (data.set === set) place.textContent = data.reading.sections.personal.join("\n");
  };
  const itemOf = (sign) => {
    const item = copy(itemTemplate, sign);
    for (const link of item.querySelectorAll("a")) link.href = `${pages}${sign}/`;
    items.set(sign, item);
    load(sign, item.querySelector("p")).catch(() => undefined);
    return item;
  };
  // Adds the page's own drawings, and its beginnings of texts that have not come. A withdrawn text has no place.
  const fill = () => {
    for (const [sign, item] of items) {
      const own = document.querySelector(`.twelve .${sign}`);
      if (own === null || item.querySelector("svg") !== null) continue;
      item.prepend(own.querySelector("svg").cloneNode(true));
      const [place, text] = [item, own].map((one) => one.querySelector("p:not(.more)"));
      if (text === null) place.remove();
      else place.textContent ||= text.textContent;
    }
  };
  const show = (signs) => {
    mine = [...new Set(signs)].filter((sign) => names.has(sign)).slice(0, 4);
    chips.replaceChildren(...mine.map(chipOf));
    shown.replaceChildren(...mine.map((sign) => items.get(sign) ?? itemOf(sign)));
    clear.hidden = mine.length === 0;
    pick.hidden = mine.length === 4;
    if (document.readyState !== "loading") fill();
  };
  const choose = (signs) => {
    show(signs);
    try {
      if (mine.length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, mine.join(" "));
    } catch {}
    dispatchEvent(new Event("storage"));
    if (pick.hidden || document.activeElement !== add) summary.focus();
  };
  const signOn = (birthday) => {
    options.sort((one, next) => (one.dataset.first < next.dataset.first ? -1 : 1));
    return (options.findLast(({ dataset }) => dataset.first <= birthday) ?? options.at(-1)).value;
  };

  box.hidden = false;
  try {
    show((localStorage.getItem(key) ?? "").split(" "));
  } catch {
    show([]);
  }
  document.addEventListener("DOMContentLoaded", fill);
  add.addEventListener("click", () => {
    const isDated = month.value !== "" && day.value !== "";
    const own = isDated ? [signOn(`${month.value}-${day.value}`)] : [];
    if (own.length === 0 && other.value === "") return (month.value === "" ? month : day).focus();
    choose([...own, ...mine, other.value]);
    for (const select of [month, day, other]) select.value = "";
  });
  clear.addEventListener("click", () => choose([]));
}
