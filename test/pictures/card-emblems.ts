// Emblems (emblems.svg) of a card's face, in drawing order: `name`, or `name:x,y,size` for an emblem that is moved by x and y and
// scaled (size in hundredths).
import { type DeckName, deckNames, decks, tarotRanks, tarotSuits } from "../../packages/sandbox/decks.ts";

type OfDeck = Readonly<Record<string, string>>;

const majors: OfDeck = {
  "THE FOOL": "sun:58,-6,45 cliff bundle:0,-10,80",
  "THE MAGICIAN": "infinity:28,-8,44 wand:-6,20,70 cup:48,34,34 coin:62,68,30 sword:34,42,50",
  "THE HIGH PRIESTESS": "pillars moon:26,24,48",
  "THE EMPRESS": "wheat:-24,10,80 wheat:44,10,80 crown:26,0,48 heart:24,44,52",
  "THE EMPEROR": "shield:-4,22,70 crown:8,-12,50 sceptre:46,6,90",
  "THE HIEROPHANT": "keys:0,14,100 crown:30,-16,40 ankh:30,20,40",
  "THE LOVERS": "sun:28,-12,44 dance:4,20,80",
  "THE CHARIOT": "chariot",
  STRENGTH: "lion:0,16,86 infinity:28,-14,44",
  "THE HERMIT": "mountain:0,12,100 staff:28,0,95 lantern:8,8,54",
  "WHEEL OF FORTUNE": "wheel corners",
  JUSTICE: "scales:0,6,94 sword:30,-2,40",
  "THE HANGED MAN": "hanged",
  DEATH: "horizon:0,12,90 scythe:6,-4,100",
  TEMPERANCE: "cup:-6,-2,58 pouring cup:46,42,58",
  "THE DEVIL": "pentagram:8,0,84 chain:0,8,100",
  "THE TOWER": "tower bolt:44,-6,50 bolt:4,-8,34",
  "THE STAR": "star8:14,-6,72 small-stars water",
  "THE MOON": "moon:26,-10,50 towers water",
  "THE SUN": "sun face",
  JUDGEMENT: "cloud:10,-14,70 trumpet:0,8,92",
  "THE WORLD": "wreath dancer:24,20,56 corners",
};

/** Positions of a suit's signs: columns and rows in hundredths. */
const pips: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  Two: [
    [50, 22],
    [50, 78],
  ],
  Three: [
    [50, 16],
    [50, 50],
    [50, 84],
  ],
  Four: [
    [26, 24],
    [74, 24],
    [26, 76],
    [74, 76],
  ],
  Five: [
    [26, 20],
    [74, 20],
    [50, 50],
    [26, 80],
    [74, 80],
  ],
  Six: [
    [26, 16],
    [74, 16],
    [26, 50],
    [74, 50],
    [26, 84],
    [74, 84],
  ],
  Seven: [
    [26, 16],
    [74, 16],
    [50, 33],
    [26, 50],
    [74, 50],
    [26, 84],
    [74, 84],
  ],
  Eight: [
    [26, 16],
    [74, 16],
    [50, 33],
    [26, 50],
    [74, 50],
    [50, 67],
    [26, 84],
    [74, 84],
  ],
  Nine: [
    [26, 10],
    [74, 10],
    [26, 37],
    [74, 37],
    [50, 50],
    [26, 63],
    [74, 63],
    [26, 90],
    [74, 90],
  ],
  Ten: [
    [26, 10],
    [74, 10],
    [50, 23],
    [26, 37],
    [74, 37],
    [26, 63],
    [74, 63],
    [50, 77],
    [26, 90],
    [74, 90],
  ],
};

const courts: OfDeck = {
  Page: "bust hair cap",
  Knight: "bust helmet",
  Queen: "bust veil tiara",
  King: "bust crowned",
};

const suitSigns = { Cups: "cup", Pentacles: "coin", Swords: "sword", Wands: "wand" } as const;

function minor(rank: string, suit: (typeof tarotSuits)[number]): string {
  const sign = suitSigns[suit];
  const court = courts[rank];
  if (court !== undefined) return `${court} ${sign}:54,50,50`;
  const places = pips[rank];
  if (places === undefined) return `wreath ${sign}:21,21,58`;
  const size =
    (places.length < 4 ? 42 : places.length < 7 ? 36 : 27) * (sign === "sword" || sign === "wand" ? 1.15 : 1);
  // The field is higher than wide.
  const high = (y: number) => 50 + (y - 50) * 1.32;
  return places.map(([x, y]) => `${sign}:${x - size / 2},${high(y) - size / 2},${size}`).join(" ");
}

const minors: OfDeck = Object.fromEntries(
  tarotSuits.flatMap((suit) =>
    tarotRanks.map((rank) => [`${rank} of ${suit}`.toUpperCase(), minor(rank, suit)] as const),
  ),
);

/** An angel with the virtue's attribute. */
const angel = (held: string) => `wings:0,-4,100 robe head halo:0,-12,100 ${held}:30,46,40`;

/** Somebody with the tool of a trade. */
const person = (headgear: string, tool: string) => `bust:-4,0,84 ${headgear} ${tool}`;

export const cardEmblems: Readonly<Record<DeckName, OfDeck>> = {
  tarot: { ...majors, ...minors },
  love: {
    "FIRST LETTER": "letter heart:39,46,24",
    "OPEN WINDOW": "window sun:32,6,36",
    "SHARED TABLE": "table",
    "OLD PHOTOGRAPH": "photograph",
    "SLOW DANCE": "dance",
    "QUIET HARBOUR": "lighthouse:-22,-8,80 boat:38,8,60 sail:46,4,50 water:0,6,100",
    "TWO CUPS": "cup:-8,24,62 cup:46,24,62 heart:32,-8,36",
    "LOCKED DRAWER": "drawer",
    "LONG BRIDGE": "bridge:0,-6,100 water:0,8,100",
    "WARM COAT": "coat",
    "SECOND SPRING": "blossom",
    "EMPTY CHAIR": "chair",
    "GARDEN GATE": "gate bars flower:4,46,46 flower:50,46,46",
    "MORNING CALL": "sun:-14,-14,56 bird:8,10,92 notes:8,-2,90",
    "SILVER THREAD": "spool",
    "RETURNED KEY": "hand:-4,24,72 key:38,-6,56",
    LANTERN: "lantern",
    CROSSROADS: "hill signpost",
    "RAIN ON GLASS": "glass",
    "LAST TRAIN": "train moon:64,-8,36",
    "BLUE RIBBON": "bow",
    "NEW LEAF": "seedling:0,-4,100",
  },
  desire: {
    "VELVET NIGHT": "moon:26,26,48 curtains",
    "RED SILK": "silk",
    "CANDLE FLAME": "candle",
    "BARE FEET": "feet",
    "MIDNIGHT BATH": "moon:52,-8,40 bath",
    WHISPER: "lips",
    "RIPE FIG": "fig",
    "OPEN DOOR": "door star:56,30,30",
    "SOFT RAIN": "cloud rain",
    JASMINE: "jasmine",
    MIRROR: "mirror",
    "SLOW RIVER": "hill:0,-30,100 river:-2,4,100",
    AMBER: "gem",
    BALCONY: "balcony moon:36,10,28",
    "WARM SAND": "sun:28,-14,52 dunes",
    HONEY: "honeycomb bee:60,52,44",
    "SECRET LETTER": "letter seal",
    "MASKED BALL": "mask:0,8,100",
    PEARL: "shell pearl:0,4,100",
    "SUMMER STORM": "cloud:0,-10,100 bolt:22,38,56 rain:-14,0,80",
  },
  angels: {
    "ANGEL OF PATIENCE": angel("hourglass"),
    "ANGEL OF MERCY": angel("hand"),
    "ANGEL OF COURAGE": angel("shield"),
    "ANGEL OF HOPE": angel("anchor"),
    "ANGEL OF REST": angel("moon"),
    "ANGEL OF TRUTH": angel("mirror"),
    "ANGEL OF JOY": angel("sun"),
    "ANGEL OF HEALING": angel("leaf"),
    "ANGEL OF HOME": angel("house"),
    "ANGEL OF TRAVEL": angel("compass"),
    "ANGEL OF FRIENDSHIP": angel("ring-pair"),
    "ANGEL OF MEMORY": angel("photograph"),
    "ANGEL OF DAWN": angel("horizon"),
    "ANGEL OF DUSK": angel("lantern"),
    "ANGEL OF LETTERS": angel("letter"),
    "ANGEL OF GARDENS": angel("flower"),
    "ANGEL OF MUSIC": angel("harp"),
    "ANGEL OF SILENCE": angel("bell"),
    "ANGEL OF BEGINNINGS": angel("seedling"),
    "ANGEL OF FAREWELLS": angel("bird"),
  },
  power: {
    ROOT: "root",
    SEED: "seed",
    SPRING: "spring",
    RIVER: "river",
    MOUNTAIN: "mountain",
    STORM: "cloud:0,-8,100 wind:0,16,80 bolt:36,40,52",
    EMBER: "ember",
    HARVEST: "wheat:-26,4,92 wheat:30,4,92 wheat:2,0,100",
    HORIZON: "horizon",
    COMPASS: "compass",
    ANCHOR: "anchor",
    BRIDGE: "bridge",
    THRESHOLD: "gate path:0,6,100",
    SUMMIT: "mountain flag:0,2,100",
    TIDE: "moon:54,-6,40 wave:0,6,100",
    FORGE: "anvil",
    SHIELD: "shield",
    BEACON: "lighthouse",
    WHEEL: "wheel",
    CROWN: "crown",
  },
  egypt: {
    "THE SCRIBE": "bust nemes brush:52,46,52",
    "THE REED BOAT": "reed-boat",
    "THE LOTUS": "lotus",
    "THE SCARAB": "scarab",
    "THE FALCON": "falcon",
    "THE IBIS": "ibis",
    "THE SPHINX": "sphinx",
    "THE PAPYRUS": "papyrus",
    "THE OBELISK": "obelisk",
    "THE WELL": "palm:44,-12,58 well:-10,20,74",
    "THE DATE PALM": "palm",
    "THE FLOOD": "pyramid:28,0,60 wave:0,16,80 water:0,6,100",
    "THE GRANARY": "granary",
    "THE DESERT WIND": "dunes:0,10,100 wind:4,-12,90",
    "THE TWO LANDS": "two-lands",
    "THE WEAVER": "loom",
    "THE POTTER": "pot",
    "THE FEATHER": "feather",
    "THE LAMP": "lamp",
    "THE GATE OF STARS": "gate star8:32,38,36 small-stars:0,-8,100",
  },
  wisdom: {
    "STILL WATER": "still-water",
    BAMBOO: "bamboo",
    "WHITE STONE": "stone",
    "BLACK STONE": "black-stone",
    CRANE: "crane",
    "OLD PINE": "pine",
    "FULL MOON": "full-moon",
    "NEW MOON": "new-moon",
    "TEA BOWL": "bowl",
    "INK BRUSH": "brush",
    "MOUNTAIN PATH": "mountain path",
    "EMPTY BOAT": "boat:0,-8,100 oar:16,-22,80 water:0,2,100",
    "FIRST SNOW": "snow",
    "OPEN HAND": "hand",
    "CLOSED GATE": "wooden-gate",
    "WIND IN REEDS": "wind:0,-16,70 reeds:0,4,100",
    "DEEP WELL": "shaft",
    "PAPER LANTERN": "paper-lantern",
    "TURNING LEAF": "leaf",
    "SILENT BELL": "bell",
  },
  dreams: {
    LADDER: "ladder cloud:10,-18,80 star:70,6,26",
    "PAPER KITE": "kite",
    "SLEEPING CAT": "cat zzz",
    "GOLDEN KEY": "key",
    "CLOUD HOUSE": "house:12,-14,76 cloud:4,34,92",
    "NIGHT TRAIN": "moon:66,-10,34 small-stars:0,-10,90 train",
    "WISHING WELL": "well star:68,58,30",
    "FEATHER BED": "bed:0,4,100 feather:30,-10,50",
    "MOON GATE": "gate moon:30,34,40",
    "HIDDEN STAIR": "stair door:66,-4,34",
    "MUSIC BOX": "music-box notes:-40,-4,100",
    "SNOW GLOBE": "globe",
    "WHITE HORSE": "horse",
    "OPEN MAP": "map",
    "FALLING STAR": "falling-star",
    "MAGIC LAMP": "lamp smoke",
    "MORNING BIRD": "horizon:0,12,100 bird:14,-6,70",
    SAIL: "boat sail water:0,14,100",
    HOURGLASS: "hourglass",
    "GLASS SLIPPER": "slipper",
  },
  lives: {
    "THE HEALER": person("veil:-4,0,84", "mortar:48,46,54"),
    "THE SAILOR": person("cap:-4,0,84", "anchor:50,44,56"),
    "THE BAKER": person("cap:-4,-2,84", "bread:46,48,56"),
    "THE PILGRIM": person("hat:-4,0,84", "shell:52,48,48"),
    "THE GARDENER": person("hat:-4,0,84", "flower:52,44,58"),
    "THE MUSICIAN": person("hair:-4,0,84", "lute:44,42,60"),
    "THE WATCHMAKER": person("hair:-4,0,84", "clock:50,46,54"),
    "THE SHEPHERD": person("hood:-4,0,84", "crook:32,10,86"),
    "THE TEACHER": person("hair:-4,0,84", "book:46,48,56"),
    "THE WEAVER": person("veil:-4,0,84", "loom:50,46,52"),
    "THE ASTRONOMER": person("hood:-4,0,84", "telescope:44,42,60 star:66,-6,30"),
    "THE LETTER WRITER": person("hair:-4,0,84", "quill:48,44,56"),
    "THE MIDWIFE": person("veil:-4,0,84", "cradle:44,46,58"),
    "THE BLACKSMITH": person("helmet:-4,0,84", "anvil:46,48,56"),
    "THE DANCER": "dancer",
    "THE FERRYMAN": person("hat:-4,0,84", "oar:34,24,74"),
    "THE LIBRARIAN": person("hair:-4,0,84", "books:48,46,54"),
    "THE BEEKEEPER": person("hat:-4,0,84", "hive:50,46,54"),
    "THE PAINTER": person("cap:-4,0,84", "palette:48,48,54"),
    "THE INNKEEPER": person("hair:-4,0,84", "mug:50,46,54"),
  },
  animals: {
    Bear: "round-ears dark-head",
    Beaver: "round-ears:12,10,76 dark-head teeth",
    Crane: "crane",
    Deer: "antlers light-head",
    Dolphin: "dolphin",
    Eagle: "eagle",
    Elephant: "elephant",
    Falcon: "falcon",
    Fox: "pointed-ears fox-head",
    Hare: "long-ears:0,6,100 light-head",
    Horse: "horse",
    Lion: "lion",
    Lynx: "pointed-ears tufts gold-head whiskers",
    Otter: "round-ears:16,20,68 dark-head whiskers",
    Owl: "owl",
    Raven: "raven",
    Salmon: "salmon",
    Swan: "swan",
    Tiger: "round-ears gold-head stripes whiskers",
    Tortoise: "tortoise:-2,0,96",
    Whale: "whale",
    Wolf: "grey-ears wolf-head",
  },
};

/** Every card with its emblems. */
export function cardsToDraw(): {
  readonly deck: DeckName;
  readonly name: string;
  readonly emblems: string;
}[] {
  return deckNames.flatMap((deck) =>
    decks[deck].map((name) => {
      const emblems = cardEmblems[deck][name];
      if (emblems === undefined) throw new Error(`${name} of ${deck} has no emblem`);
      return { deck, name, emblems };
    }),
  );
}
