// The language rule checks a text's most common words before it asks the detector. These tests compare it with the rule without
// that check, which uses only the detector.
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { alphabets, commonWords } from "../../readings/rules/common-words.ts";
import { isPlainlyIn, languageRule, createLanguageRule } from "../../readings/rules/language-rule.ts";
import { isLanguage, type Language, languageNames, languages } from "../../readings/tables.ts";
import { readCandidate } from "../../readings/reading.ts";
import { cardRequest, cardsData } from "../support/answers.ts";
import { deep } from "../support/deep.ts";
import { declaration, otherDeclarations, heldOutProse, sandboxProse } from "../support/prose.ts";

/** Horoscopes in languages that we don't publish, and that the detector or a reader could mistake for one of ours. */
const neighbours: Readonly<Record<string, string>> = {
  Catalan:
    "Avui és un bon dia per acabar allò que fa temps que espera. Les persones que t’estimen notaran que estàs més tranquil i et voldran ajudar amb les coses de casa. No diguis que sí a tot, i deixa una estona per a tu abans que el vespre s’acabi.",
  Galician:
    "Hoxe é un bo día para rematar o que leva tempo agardando. As persoas que te queren han notar que estás máis tranquilo e axudaranche coas cousas da casa. Non digas que si a todo, e deixa un anaco para ti antes de que remate a tarde.",
  Romanian:
    "Astăzi este o zi bună ca să termini ceea ce aşteaptă de mult timp. Oamenii care te iubesc vor observa că eşti mai liniştit şi te vor ajuta cu treburile din casă. Nu spune da la toate şi lasă puţin timp pentru tine înainte de seară.",
  "Romanian without its marks":
    "Astazi este o zi buna ca sa termini ceea ce asteapta de mult timp. Oamenii care te iubesc vor observa ca esti mai linistit si te vor ajuta cu treburile din casa. Nu spune da la toate si lasa putin timp pentru tine inainte de seara.",
  Danish:
    "I dag er en god dag til at gøre det færdigt, som har ventet længe. De mennesker, der holder af dig, vil mærke, at du er mere rolig, og hjælpe dig med det hele derhjemme. Sig ikke ja til alt, og gem lidt tid til dig selv, før aftenen er forbi.",
  Norwegian:
    "I dag er det en god dag for å gjøre ferdig det som har ventet lenge. De som er glad i deg, vil merke at du er roligere, og de hjelper deg gjerne hjemme. Ikke si ja til alt, og ta vare på litt tid til deg selv før kvelden er over.",
  Swedish:
    "I dag är det en bra dag att göra klart det som har väntat länge. De som tycker om dig märker att du är lugnare och hjälper dig gärna hemma. Säg inte ja till allt, och spara lite tid åt dig själv innan kvällen är slut.",
  Afrikaans:
    "Vandag is ’n goeie dag om klaar te maak wat al lank wag. Die mense wat lief is vir jou sal sien dat jy rustiger is en hulle sal jou graag met die huis help. Moenie vir alles ja sê nie, en hou ’n bietjie tyd vir jouself voor die aand verby is.",
  Czech:
    "Dnes je dobrý den na to, abyste dokončili, co už dlouho čeká. Lidé, kteří vás mají rádi, si všimnou, že jste klidnější, a rádi vám doma pomohou. Neříkejte na všechno ano a nechte si trochu času pro sebe, než večer skončí.",
  Slovak:
    "Dnes je dobrý deň na to, aby ste dokončili, čo už dlho čaká. Ľudia, ktorí vás majú radi, si všimnú, že ste pokojnejší, a radi vám doma pomôžu. Nehovorte na všetko áno a nechajte si trochu času pre seba, kým sa večer skončí.",
  Slovenian:
    "Danes je dober dan, da dokončate, kar že dolgo čaka. Ljudje, ki vas imajo radi, bodo opazili, da ste mirnejši, in vam bodo radi pomagali doma. Ne recite na vse da in si vzemite nekaj časa zase, preden se večer konča.",
  Croatian:
    "Danas je dobar dan da završite ono što već dugo čeka. Ljudi koji vas vole primijetit će da ste mirniji i rado će vam pomoći oko kuće. Nemojte na sve reći da i ostavite malo vremena za sebe prije nego što večer završi.",
  Azerbaijani:
    "Bu gün çoxdan gözləyən işi bitirmək üçün yaxşı gündür. Sizi sevən insanlar daha sakit olduğunuzu görəcək və ev işlərində sizə kömək edəcəklər. Hər şeyə bəli deməyin və axşam bitməmiş özünüzə də bir az vaxt ayırın.",
  Finnish:
    "Tänään on hyvä päivä saada valmiiksi se, mikä on odottanut kauan. Ihmiset, jotka välittävät sinusta, huomaavat että olet rauhallisempi, ja auttavat mielellään kotona. Älä sano kaikkeen kyllä, ja jätä vähän aikaa itsellesi ennen kuin ilta on ohi.",
  Estonian:
    "Täna on hea päev, et lõpetada see, mis on kaua oodanud. Inimesed, kes sinust hoolivad, märkavad, et oled rahulikum, ja aitavad sind kodus meelsasti. Ära ütle kõigele jah ja jäta natuke aega ka endale, enne kui õhtu läbi saab.",
  Albanian:
    "Sot është një ditë e mirë për të mbaruar atë që pret prej kohësh. Njerëzit që të duan do ta vënë re se je më i qetë dhe do të të ndihmojnë në shtëpi. Mos i thuaj po gjithçkaje dhe lër pak kohë për vete para se të mbarojë mbrëmja.",
  Basque:
    "Gaur egun ona da aspalditik zain dagoena amaitzeko. Maite zaituztenek lasaiago zaudela ohartuko dira eta etxeko lanetan lagunduko dizute. Ez esan baietz guztiari eta utzi denbora pixka bat zuretzat arratsaldea amaitu baino lehen.",
  Cebuano:
    "Karon maayo nga adlaw aron tapuson ang dugay nang naghulat. Ang mga tawo nga nahigugma kanimo makamatikod nga mas kalmado ka ug motabang sila sa balay. Ayaw pag-oo sa tanan, ug biyai ang gamay nga panahon alang sa imong kaugalingon.",
  Javanese:
    "Dina iki dina sing apik kanggo ngrampungake apa sing wis suwe ngenteni. Wong-wong sing tresna marang sampeyan bakal weruh yen sampeyan luwih tentrem lan gelem ngewangi ing omah. Aja nyaguhi kabeh, lan sisakna wektu kanggo awake dhewe.",
  Bulgarian:
    "Днес е добър ден да завършите това, което отдавна чака. Хората, които ви обичат, ще забележат, че сте по-спокойни, и с радост ще ви помогнат у дома. Не казвайте да на всичко и оставете малко време за себе си, преди да свърши вечерта.",
  Serbian:
    "Данас је добар дан да завршите оно што већ дуго чека. Људи који вас воле приметиће да сте мирнији и радо ће вам помоћи око куће. Немојте на све рећи да и оставите мало времена за себе пре него што вече прође.",
  Macedonian:
    "Денес е добар ден да го завршите она што одамна чека. Луѓето што ве сакаат ќе забележат дека сте помирни и со радост ќе ви помогнат дома. Не кажувајте да на сè и оставете малку време за себе пред да заврши вечерта.",
  Belarusian:
    "Сёння добры дзень, каб скончыць тое, што даўно чакае. Людзі, якія вас любяць, заўважаць, што вы спакайнейшыя, і з радасцю дапамогуць вам дома. Не згаджайцеся на ўсё і пакіньце крыху часу для сябе, пакуль вечар не скончыўся.",
  Persian:
    "امروز روز خوبی است برای تمام کردن کاری که مدت‌هاست منتظر مانده است. کسانی که شما را دوست دارند می‌بینند که آرام‌تر شده‌اید و با کمال میل در خانه به شما کمک می‌کنند. به همه چیز بله نگویید و پیش از پایان شب کمی هم برای خود وقت بگذارید.",
  Urdu: "آج کا دن اس کام کو مکمل کرنے کے لیے اچھا ہے جو بہت عرصے سے انتظار میں ہے۔ جو لوگ آپ سے محبت کرتے ہیں وہ دیکھیں گے کہ آپ زیادہ پرسکون ہیں اور گھر کے کاموں میں آپ کی مدد کریں گے۔ ہر بات پر ہاں نہ کہیں اور شام ختم ہونے سے پہلے اپنے لیے بھی تھوڑا وقت رکھیں۔",
};

const listed = Object.keys(alphabets).filter(isLanguage);
const detectorAlone = createLanguageRule(() => false);

/** Refused by the detector only, and accepted by the rule: the text by itself, and repeated. */
function isLetThrough(language: Language, text: string): boolean {
  if (!piecesOf(text).some((piece) => isPlainlyIn(language, piece))) return false; // both ask the detector
  return [[text], [text, text]].some((texts) => {
    const candidate = readCandidate(cardRequest(language), cardsData(texts));
    return languageRule(candidate).length === 0 && detectorAlone(candidate).length > 0;
  });
}

/** Pieces that the rule reads: the beginning and the end. */
function piecesOf(text: string): string[] {
  return [160, 170].flatMap((size) => [text.slice(0, size), text.slice(-size)]);
}

function letThrough(language: Language, texts: readonly string[]): string[] {
  return texts.filter((text) => isLetThrough(language, text)).map((text) => `${language}: ${text}`);
}

describe("common words", () => {
  it.each(listed)("of %s can be met: they are in its own letters, in lower case, composed", (language) => {
    const { usual = "", telling = "" } = alphabets[language] ?? {};
    const lists: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(commonWords));
    const words = (lists[language] ?? "").split(/\s+/);
    expect(words.length).toBeGreaterThan(70);
    for (const word of words) {
      expect(word).toBe(word.toLowerCase().normalize("NFC"));
      expect(word.match(new RegExp(`[^${usual}${telling}]`, "gu"))).toBeNull();
    }
  });

  it.each(listed)(
    "decide nine in ten pieces of prose in %s, and of a declaration of rights most",
    (language) => {
      const share = (texts: readonly string[]) => {
        const size = languages[language].script === "Latin" ? 160 : 170;
        const pieces = texts.flatMap((text) => [text.slice(0, size), text.slice(-size)]);
        const long = pieces.filter((piece) => piece.length >= 150);
        return long.filter((piece) => isPlainlyIn(language, piece)).length / long.length;
      };
      expect(share(sandboxProse(language))).toBeGreaterThanOrEqual(0.9);
      expect(share(heldOutProse(language))).toBeGreaterThan(0.5);
    },
  );

  it("decide nothing if a script has one language, or if a text is too short", () => {
    for (const language of languageNames.filter((name) => !listed.some((one) => one === name)))
      expect(sandboxProse(language).some((text) => isPlainlyIn(language, text))).toBe(false);
    expect(isPlainlyIn("en", "It is the best that you can do, and then there is more of it.")).toBe(false);
  });
});

/** The detector takes them for Spanish, Dutch, Tagalog and Malay. */
const unknown: ReadonlySet<string> = new Set(["Galician", "Afrikaans", "Cebuano", "Javanese"]);

describe("texts that the detector refuses", () => {
  test.each(listed)(
    "is refused in place of %s: prose of all our languages and of their neighbours",
    (language) => {
      const others = listed.filter((other) => other !== language);
      const ours = others.flatMap((other) => [...sandboxProse(other), ...heldOutProse(other)]);
      expect(letThrough(language, [...ours, ...Object.values(neighbours)])).toEqual([]);
      for (const [name, text] of Object.entries(neighbours).filter(([neighbour]) => !unknown.has(neighbour)))
        expect(languageRule(readCandidate(cardRequest(language), cardsData([text]))), name).not.toEqual([]);
    },
  );

  test.each(listed)(
    "is refused in place of %s: the declaration in the languages of the world",
    (language) => {
      const all = otherDeclarations(language);
      const some = all.filter((_, index) => deep || index % 9 === languageNames.indexOf(language) % 9);
      expect(letThrough(language, some.flatMap(declaration))).toEqual([]);
    },
  );
});

interface Mixture {
  readonly own: Language;
  readonly other: string;
  readonly picked: readonly [number, number];
  /** Characters of the own language among 160, at most half. */
  readonly ownCharacters: number;
  readonly order: "before" | "after" | "among";
}

const mixtures: fc.Arbitrary<Mixture> = fc.record({
  own: fc.constantFrom(...listed),
  other: fc.constantFrom(...listed, ...Object.keys(neighbours)),
  picked: fc.tuple(fc.nat(), fc.nat()),
  ownCharacters: fc.integer({ min: 10, max: 80 }),
  order: fc.constantFrom("before", "after", "among"),
});

function textOf({ own, other, picked, ownCharacters, order }: Mixture): string {
  const mine = cut(textsOf(own), picked[0], ownCharacters);
  const theirs = cut(textsOf(other), picked[1], 160 - ownCharacters);
  switch (order) {
    case "before":
      return `${mine} ${theirs}`;
    case "after":
      return `${theirs} ${mine}`;
    case "among": {
      const [few, many] = [mine.split(" "), theirs.split(" ")];
      return many.map((word, index) => (few[index] === undefined ? word : `${word} ${few[index]}`)).join(" ");
    }
  }
}

function textsOf(name: string): readonly string[] {
  const known = neighbours[name];
  if (known !== undefined) return [known];
  return isLanguage(name) ? [...sandboxProse(name), ...heldOutProse(name)] : [];
}

function cut(texts: readonly string[], picked: number, characters: number): string {
  const text = texts[picked % texts.length] ?? "";
  const from = text.indexOf(" ", (picked * 31) % Math.max(1, text.length - characters)) + 1;
  return text.slice(from, from + characters).trim();
}

describe("two languages in one text", () => {
  const runs = deep ? 200_000 : 4_000;

  it("are accepted in hardly one in a thousand texts with at least half of the other language", () => {
    const texts = fc.sample(mixtures, { numRuns: runs }).filter(({ own, other }) => own !== other);
    const through = texts.filter((mixture) => isLetThrough(mixture.own, textOf(mixture)));
    expect(
      through.length,
      JSON.stringify(
        through.map((one) => [one.own, textOf(one)]),
        undefined,
        1,
      ),
    ) //
      .toBeLessThanOrEqual(runs / 1_000);
  });

  it("are refused like the detector does if another text follows or precedes a good one", () => {
    for (const own of listed) {
      const [good = "", more = ""] = sandboxProse(own);
      for (const [at, other] of Object.values(neighbours).entries()) {
        if (!deep && at % 3 !== listed.indexOf(own) % 3) continue;
        for (const text of [`${good} ${more} ${other}`, `${other} ${good} ${more}`])
          expect(isLetThrough(own, text), `${own}: ${text}`).toBe(false);
      }
    }
  });

  it("are accepted if English words occur in a good text, or a few native ones in an English text", () => {
    const english = sandboxProse("en").join(" ").split(" ");
    for (const own of listed.filter((name) => name !== "en")) {
      for (const [at, text] of sandboxProse(own).entries()) {
        const few = text
          .split(" ")
          .slice(0, 12)
          .map((word, index) => `${word} ${english.slice(index * 8 + at, index * 8 + at + 8).join(" ")}`);
        expect(isLetThrough(own, few.join(" "))).toBe(false);
      }
    }
  });
});

describe("a response of several texts", () => {
  it("is judged as the detector would, whether one text is in another language or all are close", () => {
    for (const own of listed) {
      const good = sandboxProse(own).slice(0, 4);
      for (const other of [
        ...listed.map((name) => sandboxProse(name)[5] ?? ""),
        ...Object.values(neighbours),
      ]) {
        const candidate = readCandidate(cardRequest(own), cardsData([...good, other]));
        const alone = detectorAlone(candidate);
        expect(languageRule(candidate), `${own}: ${other}`).toEqual(alone);
      }
    }
  });
});
