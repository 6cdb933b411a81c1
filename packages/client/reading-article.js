// A reading as an <article>: data and words in, elements out. Texts come in as text and never as markup.

const dayMs = 86_400_000;

/** `age`: how many periods ago it was the current text. */
export function articleOf(reading, words, { level, age, root }) {
  const { direction = "auto", signs, operations = {} } = words;
  const fields = fieldsIn(words);
  const { language, operation, sign, sign1, sign2 } = reading;
  const name = operations[operation];
  const names = [sign, sign1, sign2].flatMap((one) => signs?.[one] ?? []).join(" · ");
  const [unit] = /^(?:week|month|year)/.exec(operation) ?? ["day"];
  const ago = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-age, unit);
  const page = [operation.replace("-horoscope", ""), sign ?? (sign1 && `${sign1}-${sign2}`)];
  const address = new URL(`${language}/${page.filter(Boolean).join("/")}/`, root);
  const link = Object.assign(make("a", "link", address.host), { href: address });
  const content = reading.name ? [card("", reading, level + 1, fields)] : pieces(reading, level + 1, fields);
  const article = make(
    "article",
    "reading",
    heading(level, "title", names || name),
    make("p", "date", [names && name, dateOf(reading)].filter(Boolean).join(" · ")),
    age > 0 && !sign1 && make("p", "old", ago),
    make("div", "body", ...content),
    make("p", "source", link),
  );
  return Object.assign(article, { lang: language, dir: direction });
}

/** Called on each choice. */
export function chooserOf({ language, direction, signs, page }, sign, choose) {
  const options = Object.entries(signs).map(
    ([value, name]) => new Option(name, value, false, value === sign),
  );
  const select = make("select", "select", !sign && new Option("–", ""), ...options);
  select.addEventListener("change", () => choose(select.value));
  return Object.assign(make("label", "choice", `${page.mySign} `, select), {
    lang: language,
    dir: direction,
  });
}

export function make(tag, part, ...children) {
  const element = document.createElement(tag);
  element.part = part;
  element.append(...children.filter(Boolean));
  return element;
}

/** Labels by field name; no name has different meanings in two families. */
function fieldsIn({
  luck,
  sections,
  luckKinds,
  pairSections,
  pairScores,
  places,
  orientations,
  cardSections,
}) {
  const ofPairs = { ...pairSections, ...pairScores };
  return { luck, ...sections, ...luckKinds, ...ofPairs, ...places, ...orientations, ...cardSections };
}

/** All fields of a reading, in its own order. Unknown forms are skipped. */
function pieces(it, level, fields) {
  return Object.entries(it).flatMap(([name, value]) => {
    const title = heading(level, "heading", fields[name]);
    if (name === "colors") return []; // they appear with their names under luck
    if (name === "sections") return pieces(value, level, fields);
    if (name === "name")
      return heading(level, name, [value, fields[it.orientation]].filter(Boolean).join(" · "));
    if (name === "cards") return value.map((one) => card("", one, level, fields));
    if (name === "luck") return make("dl", name, ...value.map((line) => luckLine(line, it.colors, fields)));
    if (name === "scores") return make("dl", name, ...scores(value, fields));
    if (name === "images" && value[0]) return picture(value[0]);
    if (name === "keywords") return make("section", "section", title, make("p", "text", value.join(" · ")));
    if (value.name) return card(title, value, level + 1, fields);
    if (typeof value[0] !== "string" || !(title || /^(text|summary)$/.test(name))) return [];
    return make("section", `section ${name}`, title, ...value.map((text) => make("p", "text", text)));
  });
}

/** The picture comes first, so that the text is next to it. */
function card(title, it, level, fields) {
  return make("section", "card", title, ...pieces({ images: [], ...it }, level, fields));
}

function picture(address) {
  const image = make("img", "image");
  image.addEventListener("error", () => image.remove());
  return Object.assign(image, { src: address, alt: "", loading: "lazy" });
}

function luckLine({ kind, label, value }, colors, fields) {
  const swatches = (kind === "colors" ? colors : []).map((color) => {
    const swatch = make("i", "color");
    swatch.style.backgroundColor = color;
    return swatch;
  });
  return make("div", "", make("dt", "", fields[kind] ?? label), make("dd", "", value, ...swatches));
}

function scores(all, fields) {
  const most = Math.max(...Object.values(all)) > 10 ? 100 : 10;
  return Object.entries(all).map(([name, score]) => {
    const place = make("dd", "", `${score}`);
    place.style.setProperty("--share", `${(score / most) * 100}%`);
    return make("div", "", make("dt", "", fields[name]), place);
  });
}

/** A pair's season has no date line. */
function dateOf({ language, operation, period }) {
  const from = Date.parse(period);
  if (!from) return "";
  const isWeek = operation === "weekly-horoscope";
  const format = new Intl.DateTimeFormat(language, {
    timeZone: "UTC",
    year: "numeric",
    month: period[4] && "long",
    day: period[7] && "numeric",
    weekday: period[7] && !isWeek ? "long" : undefined,
  });
  return isWeek ? format.formatRange(from, from + 6 * dayMs) : format.format(from);
}

function heading(level, part, text) {
  return text && make(`h${Math.min(level, 6)}`, part, text);
}
