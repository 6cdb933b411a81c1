// Shuffles face-down cards: those of each row lie in another order, all turned down again.
{
  const button = document.currentScript.previousElementSibling;
  const shuffle = () => {
    for (const list of document.querySelectorAll(".hand")) {
      const cards = [...list.children];
      for (const card of cards) card.querySelector("details").open = false;
      const numbers = new Map(cards.map((card) => [card, crypto.getRandomValues(new Uint32Array(1))[0]]));
      list.append(...cards.sort((one, other) => numbers.get(one) - numbers.get(other)));
    }
  };
  button.hidden = false;
  button.addEventListener("click", shuffle);
  shuffle();
}
