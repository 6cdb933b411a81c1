// Finds a reader's sign by birthday and stores the sign on the reader's device only.
{
  const box = document.currentScript.previousElementSibling;
  const [input, output] = [box.querySelector("input"), box.querySelector("output")];
  const firsts = box.dataset.firsts.split(" ");
  const links = document.querySelectorAll(".houses a");
  const show = (sign) => {
    if (links[sign]) output.replaceChildren(links[sign].cloneNode(true));
  };
  try {
    show(localStorage.getItem("sign") ?? -1);
  } catch {}
  box.hidden = false;
  input.addEventListener("change", () => {
    const day = input.value.slice(5);
    if (day === "") return;
    const last = firsts.toSorted().findLast((first) => first <= day) ?? firsts.toSorted().at(-1);
    const sign = firsts.indexOf(last);
    show(sign);
    try {
      localStorage.setItem("sign", sign);
    } catch {}
  });
}
