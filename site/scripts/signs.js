// Moves the reader's own signs to the beginning of each list of signs. It is at both ends of a page's contents: at the first, it
// hides the lists, so that nothing moves while the page loads.
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
    const rank = ({ classList }) => order.indexOf(classList[1]) + 1 || 9;
    for (const [list, items] of lists)
      list.append(...[...items].sort((one, other) => rank(one) - rank(other)));
  };
  begin();
  document.documentElement.classList.toggle("hers", signs !== "" && lists.length === 0);
  addEventListener("storage", begin);
  addEventListener("pageshow", begin);
}
