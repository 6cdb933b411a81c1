import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type RuleName, ruleNames } from "../../readings/rules/rule.ts";
import { languageNames, languagesOf, signs } from "../../readings/tables.ts";
import { answerRules, judgeAnswer } from "../../readings/quality.ts";
import { readCandidate } from "../../readings/reading.ts";
import { signNames } from "../../readings/sign-names.ts";
import {
  cardRequest,
  cardsData,
  horoscopeData,
  horoscopeRequest,
  judge,
  verdictOf,
  verdictOn,
} from "../support/answers.ts";
import { deep } from "../support/deep.ts";
import { answerOf } from "../support/fuzz.ts";
import { hostileTexts, within } from "../support/hostile.ts";
import { heldOutProse, sandboxProse } from "../support/prose.ts";
import { requestFor } from "../support/requests.ts";

const english = horoscopeRequest("en");
const prose = sandboxProse("en");
const [good = ""] = prose;

/** A good horoscope whose section on health is this. */
function withSection(text: string, more: Record<string, unknown> = {}) {
  const data = horoscopeData(prose, more);
  return { ...data, prediction: { ...data.prediction, health: text } };
}

function withLuck(luck: unknown) {
  const data = horoscopeData(prose);
  return { ...data, prediction: { ...data.prediction, luck } };
}

function spreadWith(change: { card?: string; keywords?: unknown; summary?: string }) {
  const place = { card: "THE SUN", summary: good, advice: good, keywords: ["Joy"] };
  return { prediction: { past: place, present: { ...place, ...change }, future: place } };
}
const spread = requestFor("past-present-future-reading", "en");

function pairWith(change: Record<string, unknown>) {
  const prediction = {
    sign_1: "Aries",
    sign_2: "Pisces",
    overall_compatibility: good,
    positive_aspects: good,
    negative_aspects: good,
    elements: "Fire and Water",
    ideal_date: "A walk by the sea",
    score: { general: "7.5" },
  };
  return { prediction: { ...prediction, ...change } };
}
const pair = requestFor("love-compatibility", "en");

/** Sentences after a good one, as one paragraph of a section. */
function after(...sentences: string[]): string {
  return `${good}\r\n${sentences.join(" ")}`;
}

it("the page on quality names every rule", () => {
  const page = readFileSync(new URL("../../docs/validation-rules.md", import.meta.url), "utf8");
  const named = [...page.matchAll(/^\| `([a-z-]+)` +\|/gm)].map((match) => match[1] ?? "");
  expect(named.toSorted()).toEqual(["shape", "secret", ...ruleNames].toSorted());
});

describe('rule "sign"', () => {
  it("knows every sign by its name in every language, in any case, among blanks", () => {
    for (const language of languagesOf("daily-horoscope")) {
      for (const sign of signs) {
        const request = { ...english, sign };
        for (const name of [sign, signNames.en[sign], signNames[language][sign], sign.toUpperCase()]) {
          expect(verdictOn(request, horoscopeData(prose, { sign: `  ${name}\r\n` }))).toBe("reading");
        }
      }
    }
  });

  it("refuses another sign's name in any language, naming both", () => {
    const verdict = verdictOn(english, horoscopeData(prose, { sign: "Virgo" }));
    expect(verdict).toBe("Unfit sign: requested leo, but sign is virgo");
    for (const language of languageNames) {
      for (const sign of signs.filter((other) => other !== "leo")) {
        for (const said of [signNames[language][sign], `${signNames[language][sign]} (${sign})`]) {
          expect(verdictOn(english, horoscopeData(prose, { sign: said }))).toMatch(/^Unfit sign: /);
        }
      }
    }
  });

  it("refuses a pair in which either sign is another, or both are swapped", () => {
    expect(verdictOn(pair, pairWith({}))).toBe("reading");
    expect(verdictOn(pair, pairWith({ sign_1: "Leo" }))).toMatch(/^Unfit sign: .*sign_1 is leo/);
    expect(verdictOn(pair, pairWith({ sign_2: "Leo" }))).toMatch(/^Unfit sign: .*sign_2 is leo/);
    expect(verdictOn(pair, pairWith({ sign_1: "Pisces", sign_2: "Aries" }))).toMatch(/^Unfit sign: /);
  });

  it("only notes a name that is no sign in any language", () => {
    const { notes } = judge(english, horoscopeData(prose, { sign: "The Hunter" }));
    expect(notes.filter((note) => note.startsWith("sign"))).toEqual([
      "sign: sign is “The Hunter”, which is not a known sign name",
    ]);
  });
});

describe('rule "empty"', () => {
  it.each(["", "  ", "\r\n\r\n", "\u200B\uFEFF"])("refuses a section that is only %j", (text) => {
    expect(verdictOn(english, withSection(text))).toBe("Unfit empty: health is empty");
  });

  it("refuses a card without a name", () => {
    const data = { prediction: { card: " ", result: good } };
    expect(verdictOn(cardRequest("en"), data)).toBe("Unfit empty: card.card is empty");
  });

  it("ignores missing optional fields", () => {
    expect(verdictOn(english, withLuck(["", null, " "]))).toBe("reading");
    expect(verdictOn(spread, spreadWith({ keywords: ["", "Hope"] }))).toBe("reading");
  });
});

describe('rule "short"', () => {
  it("refuses a section without a sentence", () => {
    const verdict = verdictOn(english, withSection("Soon more."));
    expect(verdict).toBe("Unfit short: health has 8 letters, fewer than 25");
    expect(verdictOn(horoscopeRequest("zh"), horoscopeData(["今天很好。"]))).toMatch(/^Unfit short: /);
  });

  it("takes a short sentence, in Chinese and Japanese a shorter one", () => {
    expect(verdictOn(english, withSection("Rest well, and the day will follow."))).toBe("reading");
    expect(verdictOn(cardRequest("zh"), cardsData(["今天适合静心休息养神。"]))).toBe("reading");
    expect(verdictOn(cardRequest("ja"), cardsData(["今日はゆっくり休みましょう。"]))).toBe("reading");
  });

  it("lets elements, dates, keywords and luck be a word", () => {
    expect(verdictOn(pair, pairWith({ elements: "Fire", ideal_date: "Sea" }))).toBe("reading");
    expect(verdictOn(spread, spreadWith({ keywords: ["Joy", "7", "–"] }))).toBe("reading");
    expect(verdictOn(english, withLuck(["Numbers : 7", "7", "–", "A", "Colors of the day : -", "红"]))).toBe(
      "reading",
    );
  });
});

describe('rule "long"', () => {
  it("refuses a text that no page has room for", () => {
    const long = Array.from({ length: 100 }, () => good).join(" ");
    expect(verdictOn(english, withSection(long))).toMatch(/^Unfit long: health has \d{5} characters/);
    expect(verdictOn(cardRequest("en"), { prediction: { card: long, result: good } })).toMatch(
      /^Unfit long: card.card has/,
    );
  });

  it("refuses a word longer than any language has, and accepts the longest real ones", () => {
    const verdict = verdictOn(english, withSection(after("x".repeat(101))));
    expect(verdict).toBe("Unfit long: health has a word of more than 100 characters");
    expect(verdictOn(english, withSection(after("x".repeat(100))))).toBe("reading");
    const chain =
      "the-never-ending/always-turning/daily/aries-and-all-other-signs-of-the-zodiac,who-from-november-on-are-of-one-mind-and-heart";
    expect(verdictOn(english, withSection(after(`It is the day of ${chain}`)))).toBe("reading");
  });

  it("takes a Chinese section without a blank in it", () => {
    const text = sandboxProse("zh").slice(0, 4).join("");
    expect(verdictOn(horoscopeRequest("zh"), horoscopeData([text]))).toBe("reading");
  });
});

/** Faults that each rule must find in a section, in a card's name and in a line of luck. */
const faults: Partial<Record<RuleName, readonly string[]>> = {
  characters: [
    "A caf\uFFFD in the morning does you good.",
    "A lone \uD800 surrogate.",
    "A private \uE000 letter.",
    "Un cafÃ© le matin fait du bien.",
    "Itâ€™s a good day.",
    "\\u0906\\u091c ka din",
    "First line.\\r\\nSecond line.",
  ],
  markup: [
    "Your <b>day</b> is bright.",
    "Your day<br/>is bright.",
    "<p>Your day is bright.",
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//x.example/a.js",
    "<img src=x onerror=alert(1)",
    "<!-- reading --> Your day is bright.",
    "Rock &amp; roll",
    "It&#39;s a bright day.",
    "It&#x27;s a bright day.",
    "```json",
    "[b]Bright[/b]",
    "[url=https://cards.example]Read on[/url]",
    "Read [more](https://cards.example).",
    "Read [more](here).",
    'Read [more](//cards "Cards").',
    "![stars](/stars.png)",
    "[1]: /stars",
    "＜script＞alert(1)＜/script＞",
    "＜a href=x＞here＜/a＞",
    "＜ｉｍｇ ｓｒｃ＝x＞",
    "﹤br﹥Your day is bright.",
    "javascript:alert(1)",
    "data:text/html,hello",
    "**Personal** Your day is bright.",
    "## Personal",
  ],
  address: [
    "Look at https://cards.example/a?b=1&c=2#top today.",
    "Look at www.cards.example today.",
    "Book at lucky-stars.com today.",
    "Book at LUCKY-STARS.COM today.",
    "Book at lucky-stars[.]com today.",
    "Book at lucky-stars (dot) com today.",
    "Write to reader@cards.example.",
    "mailto:reader",
    "tel:5550199",
    "Call +91 98765 43210 now.",
    "Call +٩١ ٩٨٧٦٥ ٤٣٢١٠ now.",
    "Call 1-800-555-0199 now.",
    "All about it on t.me/lucky7",
    "WhatsApp: 9876543210",
    "Telegram @lucky",
    "Читай на звезды.рф сегодня.",
    "ｗｗｗ．ｃａｒｄｓ．ｃｏｍ",
    "https：／／cards",
    "Look at cards。com today.",
    "Call ＋９１９８７６５４３２１０ now.",
    "Look at evil.shop today.",
    "look at evil.shop",
    "Look at EVIL.SHOP today.",
    "Ask evil.ai today.",
    "ask evil.ai.",
    "Ask evil.io, evil.eu or evil.vip.",
    "Buy at best-stars.store today.",
    "Buy at Evil.store today.",
    "Read on at my-stars.de today.",
    "Read on at stars24.it today.",
    "Look at evil.co.uk today.",
    "Look at evil.live today.",
    "Ask evil.me.",
    "look at evil.live",
    "ask evil.me.",
    "Look at evil dotcom today.",
    "Look at evil dot-com today.",
    "Mira evil puntocom hoy.",
    "Look at xn--e1afmkfd.xn--p1ai today.",
    "Смотри на пример.рф сегодня.",
    "Смотри на пример.москва сегодня.",
    "Виж пример.бг днес.",
    "예시.한국 보기",
    "看看 例子.香港 吧",
    "Look at bücher.example/x or bücher.shop today.",
    "Ask 8.8.8.8 today.",
    "Ask 93.184.216.34 today.",
    "Take 0 1 7 1 2 3 4 5 6 7 8 now.",
    "Take 9-8-7-6-5-4-3-2-1-0-1 now.",
    "Take ९ ८ ७ ६ ५ ४ ३ २ १ २ now.",
    "Pay with 4 0 1 2 8 8 8 8 8 8 8 8 1 8 8 1 now.",
    "Look at xn--80ak6aa92e today.",
    "Смотри на звезды.онлайн сегодня.",
    "Смотри на звезды.сайт сегодня.",
    "看看 星座.中国 吧",
    "आज सितारे.भारत देखें",
    "ｅｖｉｌ．ｓｈｏｐ",
    "evil。shop",
    "Look at evil․shop today.",
    "Look at evil•com today.",
    "Look at evil dot com today.",
    "Look at Evil DOT Shop today.",
    "Look at evil-dot-com today.",
    "Look at evil {dot} com today.",
    "Look at evil punto com today.",
    "Schau auf evil Punkt de nach.",
    "Смотри evil точка ру сегодня.",
    "Look at evil . com today.",
    "Look at evil .com today.",
    "Look at evil. com/x today.",
    "Look at e v i l . c o m today.",
    "Look at evil{.}com today.",
    "Look at evil(.)shop today.",
    "hxxp://evil.example/x",
    "hxxps[:]//evil/x",
    "https : // evil",
    "http:\\\\evil",
    "Look at //evil.example/x today.",
    "Ask 127.0.0.1:8080/x today.",
    "Ask 10.0.0.1/x today.",
    "Ask 192.168.1.20 today.",
    "Ask [::1]:8080 today.",
    "Ask localhost:3000 today.",
    "Ask evil:8080/x today.",
    "Write to reader@ybl today.",
    "Write to reader [at] evil today.",
    "Call 0171 2345678 now.",
    "Call 0171/2345678 now.",
    "Call 0171 - 234 56 78 now.",
    "Call 01712345678 now.",
    "Call (030) 123 45 67 now.",
    "Call 06 12 34 56 78 now.",
    "Call 06.12.34.56.78 now.",
    "Call 98765 43210 now.",
    "Call 9876543210 now.",
    "Call ९८७६५४३२१० now.",
    "Call 020 7946 0958 now.",
    "Call 03-1234-5678 now.",
    "电话13800138000请",
    "Call 138 0013 8000 now.",
    "Звони 8 (495) 123-45-67 сегодня.",
    "Call 0532 123 45 67 now.",
    "Call (11) 91234-5678 now.",
    "Call 501 234 567 now.",
    "Call 212 555 0123 now.",
    "Call 0049 171 2345678 now.",
    "Call 555-0199 now.",
    "Call ０１７１２３４５６７８ now.",
    "Call 0️⃣1️⃣7️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣ now.",
    "Pay with 4012 8888 8888 1881 now.",
    "Send it to 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2 now.",
    "Send it to 3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy now.",
    "Send it to bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq now.",
    "Send it to BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ now.",
    "Send it to 0x52908400098527886E0F7030069857D2E4169EE7 now.",
    "Send it to TJRabPrwbZy45sbavfcjinPJC18kjpRTv8 now.",
    "Send it to DE89 3704 0044 0532 0130 00 now.",
    "Send it to DE89370400440532013000 now.",
    "Send it to de89 3704 0044 0532 0130 00 now.",
    "Send it to GB29-NWBK-6016-1331-9268-19 now.",
    "Send it to NO93 8601 1117 947 now.",
  ],
  formula: [
    '=HYPERLINK("x","y")',
    "=1+1",
    "=A1",
    "=cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-IMAGE(1)",
    "$$E=mc^2$$",
    "$x^2$ is your number.",
    "\\frac12 of the day is bright.",
    "\\(x\\) is your number.",
  ],
  "mixed-script": [
    "Your pаypal is bright.",
    "Вуy now, Βitcoin is bright.",
    "gοοgle",
    "𝐅𝐑𝐄𝐄 stars",
    "Your ԁay is bright.",
  ],
  invisible: [
    "Your\u3164day is bright.",
    "Your\u2800day is bright.",
    "Fre\u200Ce stars.",
    "Fre\u200Ee stars.",
    "Bright\uFE0F day.",
    "A day\u{E0100}\u{E0101} is bright.",
    "A\u034Fday is bright.",
    "Bright \u200D\u200D\u200D day.",
  ],
  template: [
    "Dear {{name}}, your day is bright.",
    "Dear {name}, your day is bright.",
    "Dear {first_name}, your day is bright.",
    "प्रिय {नाम}",
    "Dear ${user.name}, your day is bright.",
    "{% if sign %}Your day is bright.",
    "<%= sign %>",
    "{0} has a bright day.",
    "Dear %s, your day is bright.",
    "Dear %(name)s, your day is bright.",
    "Dear [Name], your day is bright.",
    "Dear [your first name], your day is bright.",
    "[Zodiac Sign] has a bright day.",
    "[insert reading here]",
    '{"result": "Your day is bright."}',
  ],
  "error-text": [
    "null",
    "undefined",
    "NaN",
    "N/A",
    "[object Object]",
    "The day of [object Object] is bright.",
    "Lorem ipsum dolor sit amet.",
    "Coming soon...",
    "Not available.",
    "500 Internal Server Error",
    "502 Bad Gateway",
    "Error 404",
    "You exceeded your current quota, please check your plan.",
    "MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE TRANSLATIONS FOR TODAY",
    "SQLSTATE[HY000]: General error",
    "Uncaught TypeError",
    "TypeError: cannot read properties of null",
    "Traceback (most recent call last)",
    "Undefined index",
    "As an AI language model I have no stars.",
  ],
};
/** Sections that consist only of an error message, whose words may occur in prose. */
const loneErrors = [
  "Error: the reading could not be made",
  "Fatal error: out of memory in line 12",
  "Something went wrong. Please try again later.",
  "An error occurred while the reading was made",
  "Service Unavailable, try again in some minutes",
  "Too many requests from this address",
  "Rate limit reached for this key today",
  "Translation failed for this text, sorry",
  "The prediction is not available for this sign",
  "The horoscope was not found for this day",
  "I'm sorry, but I can't help with that request.",
];

describe.each(Object.entries(faults))('rule "%s"', (rule, texts) => {
  it.each(texts)("finds %j among good paragraphs and says where", (text) => {
    expect(verdictOn(english, withSection(after(text)))).toMatch(`Unfit ${rule}: health contains `);
  });

  it("finds the same in a card's name, a line of luck and the date for two", () => {
    for (const text of texts) {
      const found = `Unfit ${rule}: `;
      const named = { prediction: { card: text, result: good } };
      expect(verdictOn(cardRequest("en"), named)).toContain(found);
      expect(verdictOn(english, withLuck([text]))).toContain(found);
      expect(verdictOn(pair, pairWith({ ideal_date: text }))).toContain(found);
    }
  });
});

describe('rule "error-text"', () => {
  it.each(loneErrors)("refuses %j where a section should be", (text) => {
    expect(verdictOn(english, withSection(text))).toMatch("Unfit error-text: health contains ");
  });

  it.each(["unknown", "None.", "error", "test", "---", "…", "?? ????? ???"])(
    "refuses %j where prose should be",
    (text) => {
      expect(verdictOn(pair, pairWith({ ideal_date: text }))).toMatch(
        "Unfit error-text: ideal_date contains ",
      );
      expect(verdictOn(english, withSection(text))).toMatch("Unfit error-text: health contains ");
    },
  );

  it("takes the same words for a card's keywords and in a line of luck", () => {
    expect(verdictOn(spread, spreadWith({ keywords: ["Test", "Unknown", "Error", "Empty", "None"] }))).toBe(
      "reading",
    );
    expect(verdictOn(english, withLuck(["Lucky Alphabets : NA", "Cosmic Tip : None", "…"]))).toBe("reading");
  });
});

/** Sentences that a horoscope may well have and that a careless rule would refuse. */
const plausible = [
  "Every error teaches you something, so forgive an error 3 times over.",
  "One common error: trusting too quickly. It would be a fatal error to hurry.",
  "You may be overwhelmed by too many requests from family; set a limit.",
  "Guard your accounts against unauthorized access. A connection reset does both of you good.",
  "A translation error on the way becomes a joke. If a door stays shut, please try again later.",
  "Learn to say: I’m sorry, I can’t. A reading is not available to the impatient.",
  "What you lost is not found by searching, and the data speaks for itself.",
  "Something went wrong last week; an error occurred, and nobody is to blame.",
  "Write { and } like two open arms, or [sic] after a name, [as they say].",
  "Give 100 % of yourself, or 110% if you dare; 50 %, however, is enough. 100% s'il le faut.",
  "Note the data: three of five stars. Data:12 May suits you.",
  "* A star * for you, 5*5 = 25, and no f**k given. 2 ** 3 is eight.",
  "Rock & Roll, R&B, Q&A; salt & pepper; AT&T and M&S are on your side.",
  "Null and void are the old rules, and undefined feelings find a name.",
  "It ends.So be it.In love.Net gains.Info follows. Rest.Work/life balance and.so on.",
  "At 17:00, on 21.11.2026 or 2026-11-21, 5.5 km/h, 24/7, and/or, s/he, U.S.A., a.m./p.m., e.g. this.",
  "z. B. so, p.ej. hoy, и т.д. и т.п., т.е. так, Dr.Smith and J.R.R.Tolkien, Nr.5.",
  "A friend abroad writes of an IT-компания, of SMSки and VIPы by Wi-Fi, of 3 μmol, 2 μg, 5 kΩ, the α-wolf and its β.",
  "Tシャツ、Uターン、LINEで。OKです。＜今日の運勢＞と＜LOVE＞、〈愛〉《心》、A型の人＜B型＞。",
  "[sic] (see above), [as they say](see above), [注]（见下）, a [1][2] b.",
  "+5 luck, +100500, -3, 1-2-3, 7 12 19 23 34, +7 years, = love =, =) and =D.",
  "Post it on Instagram: people love it; WhatsApp a friend. A dot com, the www, an app.",
  "❤️✨👩‍🚀 5️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ♈︎ 葛󠄀城",
  "I <3 you, 3 < 5 and 7 > 2, wait >> go. << Enfin >>",
  "– A dash – and an em dash — and an ellipsis… and “quotes”, «guillemets», ‹x›.",
  "Emoji 🌞✨👩‍🚀🏳️‍🌈 and signs ♈♌︎ ☉ ☽ ★ ½ × ÷ ≈ ° № ™ © mean luck.",
  "The number #7, the hash # alone, @home, ~10 minutes, $5, 5 €, ₹100, C:\\new and a_b.",
  "Sarah's 5 o'clock: 17:00; 1. Breathe. 2. Rest. (a) Wait. a/b and/or c|d.",
  "***",
  "---",
  "...",
  "Sag einfach: „Fehler passieren.“ Straße, Ärger, Öl, Übung.",
  "MANHÃ» e «IRMÃ»? NÃO! AMANHÃ. São João, coração, mãe, pão.",
  "By e.g. noon, i.e. at 12 o'clock, a.m. or p.m., cf. No. 7, St. John, etc. and so on; vs. that, approx. 5 km.",
  "z.B. so, d.h. heute, u.a. das, usw., ca. 3.000, bzw. 4, o.ä., Nr. 5, Dr. Stern; p.ej. hoy, p. ex. demain, t.ex. nu.",
  "A friend abroad writes т.е., и т.д., и т.п., т.к., напр. and the like of things that nobody else would know about, at ул. Новая, д. 5.",
  "It shines.Shop wisely.Online or not.Ai, so it goes.Io sono qui.Site visits help.Store it.Club together.Live well.",
  "la vita è bella.ai tuoi amici piace, and all the stars of the sky shine on you.",
  "1, 2, 3; 1. 2. 3.; 1st, 2nd, 3rd, 4th; 1er, 2e, 3º, 1.º, 5., 21-го, 1990-х, №5, 10 000, 1 000 000, 12 500 000.",
  "1,000,000 stars, 1.000.000 Sterne, 1 234 567, 3.14159265358979, 3,14159265358979, 0.1234567, 99.99 %, 1.5-2.5.",
  "On 21.11.2026, 21. 11. 2026, 21/11/2026, 2026-11-21, 01.02.2026-03.02.2026, 01/02/2026 - 03/02/2026, 11/21/26, 20261121.",
  "From 2019-2026, 1914-1918 and 1939 - 1945, 1999 2000 2001, 2025/2026, 21.03.-20.04., 23.10 - 21.11, 03/21-04/19.",
  "At 17:00-18:30, 10.30-11.30, 09.30 - 10.45, 24/7, 7:30/8:00, 10:20/x, 5:3, 16:9, 2 x 500 ml, 1500-2000 steps, 10000-20000.",
  "Lucky numbers 7 12 19 23 34, 04 11 23 35 42 49, 7-12-19-23-34, 12 45 7 56 31, 7.12.19.34, 111 222 333, 1111 2222, 444 555 777.",
  "Live.Laugh.Love. Live.laugh.love. The dotcom bubble, a dotcom company, an early dotcom boss and dotcom millionaires.",
  "Count 1 2 3 4 5 6 7 8 9 10, then 9 8 7 6 5 4 3 2 1 and 1 1 1 1 1 1 1 1 1 1; 1.2.3.4 and 12.45.7.56.",
  "In 2026. 1500 people; by 12 500 000 in 2030. 24 of them, 100000000 in all, 5 000 000 000 more.",
  "Your dot com dreams, the dot com boom, a dot com, dot-com days, the .com, a .net and .NET, point by point, on the dot. Net gain.",
  "Version 1.2.3 and 2.0, chapter 3.4.5.6, ratio 1:1000/2, room 12b/3, A4, B2B, C3PO, 5G, H2O, 4x4, MP3, COVID19, k8s.",
  "Il est l'heure .Ou pas . Peut-être . Et puis ... ou . . . rien.",
  "Mail me @ noon, meet @ 5, b@d luck, @home; love/hate, him//her, either//or.",
  "Test your luck, empty the attic, true or false. Unknown roads. None the worse.",
];

describe("prose that only resembles an error", () => {
  it.each(plausible)("%j is a reading, as a paragraph of a section", (text) => {
    expect(verdictOn(english, withSection(after(text, "")))).toBe("reading");
  });

  it.each(plausible.slice(0, 8))(
    "%j is a reading with one more sentence, as all that a section says",
    (text) => {
      expect(verdictOn(english, withSection(`${text} ${good}`))).toBe("reading");
    },
  );

  it("is a reading in Arabic with its marks of direction and in Hindi with its joiners", () => {
    const arabic = sandboxProse("ar").map((text) => `\u200F${text.replaceAll(" ", " \u200E")}\u061C`);
    expect(verdictOn(horoscopeRequest("ar"), horoscopeData(arabic))).toBe("reading");
    for (const language of ["hi", "mr", "bn", "kn", "ml", "te"] as const) {
      const joined = sandboxProse(language).map((text) => text.replaceAll(/(\p{M})(?=\p{L})/gu, "$1\u200C"));
      expect(verdictOn(cardRequest(language), cardsData(joined.slice(0, 5)))).toBe("reading");
    }
  });

  it("is a reading with the names of English cards and books in Hindi", () => {
    const [text = ""] = sandboxProse("hi");
    const named = `${text} आज का कार्ड QUEEN OF CUPS और पुस्तक The Secret है।`;
    expect(verdictOn(cardRequest("hi"), cardsData([named]))).toBe("reading");
  });
});

it.each(languageNames.filter((_, at) => deep || at % 4 === 0))(
  "no rule of advertising refuses prose in %s, nor with its blanks forgotten or its capitals lost",
  (language) => {
    const rules = ["markup", "address", "formula", "mixed-script", "invisible"] as const;
    for (const text of [...sandboxProse(language), ...heldOutProse(language)]) {
      const forgotten = text.replaceAll(/([.!?,;:]) /g, "$1");
      for (const said of [text, forgotten, forgotten.toLowerCase(), text.toUpperCase()]) {
        const candidate = readCandidate(cardRequest(language), cardsData([said]));
        expect(rules.flatMap((rule) => answerRules[rule](candidate))).toEqual([]);
      }
    }
  },
);

describe("a rule set to warn", () => {
  it("lets the reading through with the reason as a note", () => {
    const data = withSection(after("Your <b>day</b> is bright."));
    expect(verdictOn(english, data)).toMatch("Unfit markup: ");
    expect(judge(english, data, { markup: "warn" }).notes).toContain("markup: health contains markup: “<b>”");
  });

  it("leaves the others as they are", () => {
    const data = withSection("<b>null</b>");
    expect(verdictOn(english, data, { markup: "warn" })).toMatch("Unfit short: ");
  });
});

describe("a body of 4 MiB", () => {
  const places: Record<string, (text: string) => [typeof english | typeof spread, unknown]> = {
    "a section": (text) => [english, withSection(text)],
    "a Hindi section": (text) => [
      horoscopeRequest("hi"),
      horoscopeData([text, ...sandboxProse("hi").slice(0, 4)]),
    ],
    "the sign": (text) => [english, horoscopeData(prose, { sign: text })],
    "the date": (text) => [english, horoscopeData(prose, { date: text })],
    "a line of luck": (text) => [english, withLuck([text])],
    "luck as a text": (text) => [english, withLuck(text)],
    "a colour": (text) => [english, horoscopeData(prose, { special: { lucky_color_codes: [text] } })],
    "a score": (text) => [
      english,
      horoscopeData(prose, { special: { horoscope_percentage: { personal: text } } }),
    ],
    "a field's name": (text) => [english, horoscopeData(prose, { [text]: 1 })],
    "a card's name": (text) => [cardRequest("en"), { prediction: { card: text, result: good } }],
    "a picture": (text) => [cardRequest("en"), { prediction: { card: "A", result: good, image: text } }],
    keywords: (text) => [spread, spreadWith({ keywords: text })],
  };
  const shorterTexts = hostileTexts(400_000);
  it.each(hostileTexts())("is judged within a second when a section is %s", (_name, text) => {
    const body = answerOf(JSON.stringify({ success: 1, data: withSection(text) }));
    expect(body.body.length).toBeGreaterThan(4_000_000);
    expect(within(1000, () => verdictOf(() => judgeAnswer(english, body)))).toMatch(/^Unfit/);
  });

  it.each(Object.entries(places))("takes no longer for its size when %s is any of these", (_name, place) => {
    for (const [what, text] of shorterTexts) {
      const [request, data] = place(text);
      const verdict = within(200, () => verdictOn(request, data));
      expect(`${what}: ${verdict}`).toMatch(/: (reading|Unfit)/);
    }
  });
});
