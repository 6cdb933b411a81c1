// Moves the reader's own signs, and then the page's, to the beginning of each list of signs. It is at both ends of a page's
// contents: at the first, it hides the lists, so that nothing moves while the page loads.
{
  const lists = [...document.querySelectorAll(".strip,.houses,.twelve,.deck")].map((list) => [
    list,
    [...list.children],
  ]);
  let signs = "";
  const begin = () => {
    const before = signs;
    try {
      signs = localStorage.getItem("almanac signs") ?? "";
    } catch {}
    if (signs === before) return;
    const order = signs.split(" ");
    const place = ({ classList }) => order.indexOf(classList[1]) + 1;
    for (const [list, items] of lists) {
      const own = items.some(place) ? 8 : 9;
      const rank = (item) => place(item) || (item.querySelector("[aria-current]") ? own : 9);
      list.append(...[...items].sort((one, other) => rank(one) - rank(other)));
    }
  };
  begin();
  document.documentElement.classList.toggle("hers", signs !== "" && lists.length === 0);
  addEventListener("storage", begin);
  addEventListener("pageshow", begin);
}
