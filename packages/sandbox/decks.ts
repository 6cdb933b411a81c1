// The decks of the card operations: a tarot with all its 78 cards, and neutral inventions.
import type { CardOperation } from "../../readings/tables.ts";

const majors = `The Fool, The Magician, The High Priestess, The Empress, The Emperor, The Hierophant, The Lovers,
  The Chariot, Strength, The Hermit, Wheel of Fortune, Justice, The Hanged Man, Death, Temperance, The Devil,
  The Tower, The Star, The Moon, The Sun, Judgement, The World`;

export const tarotRanks = "Ace Two Three Four Five Six Seven Eight Nine Ten Page Knight Queen King".split(
  " ",
);
export const tarotSuits = ["Cups", "Pentacles", "Swords", "Wands"] as const;
const minors = tarotSuits.flatMap((suit) => tarotRanks.map((rank) => `${rank} of ${suit}`));

export const decks = {
  tarot: deck([majors, ...minors].join(",")),
  love: deck(`First Letter, Open Window, Shared Table, Old Photograph, Slow Dance, Quiet Harbour, Two Cups,
    Locked Drawer, Long Bridge, Warm Coat, Second Spring, Empty Chair, Garden Gate, Morning Call, Silver Thread,
    Returned Key, Lantern, Crossroads, Rain on Glass, Last Train, Blue Ribbon, New Leaf`),
  desire: deck(`Velvet Night, Red Silk, Candle Flame, Bare Feet, Midnight Bath, Whisper, Ripe Fig, Open Door,
    Soft Rain, Jasmine, Mirror, Slow River, Amber, Balcony, Warm Sand, Honey, Secret Letter, Masked Ball, Pearl,
    Summer Storm`),
  angels: deck(`Angel of Patience, Angel of Mercy, Angel of Courage, Angel of Hope, Angel of Rest,
    Angel of Truth, Angel of Joy, Angel of Healing, Angel of Home, Angel of Travel, Angel of Friendship,
    Angel of Memory, Angel of Dawn, Angel of Dusk, Angel of Letters, Angel of Gardens, Angel of Music,
    Angel of Silence, Angel of Beginnings, Angel of Farewells`),
  power: deck(`Root, Seed, Spring, River, Mountain, Storm, Ember, Harvest, Horizon, Compass, Anchor,
    Bridge, Threshold, Summit, Tide, Forge, Shield, Beacon, Wheel, Crown`),
  egypt: deck(`The Scribe, The Reed Boat, The Lotus, The Scarab, The Falcon, The Ibis, The Sphinx,
    The Papyrus, The Obelisk, The Well, The Date Palm, The Flood, The Granary, The Desert Wind, The Two Lands,
    The Weaver, The Potter, The Feather, The Lamp, The Gate of Stars`),
  wisdom: deck(`Still Water, Bamboo, White Stone, Black Stone, Crane, Old Pine, Full Moon, New Moon,
    Tea Bowl, Ink Brush, Mountain Path, Empty Boat, First Snow, Open Hand, Closed Gate, Wind in Reeds, Deep Well,
    Paper Lantern, Turning Leaf, Silent Bell`),
  dreams: deck(`Ladder, Paper Kite, Sleeping Cat, Golden Key, Cloud House, Night Train, Wishing Well,
    Feather Bed, Moon Gate, Hidden Stair, Music Box, Snow Globe, White Horse, Open Map, Falling Star, Magic Lamp,
    Morning Bird, Sail, Hourglass, Glass Slipper`),
  lives: deck(`The Healer, The Sailor, The Baker, The Pilgrim, The Gardener, The Musician,
    The Watchmaker, The Shepherd, The Teacher, The Weaver, The Astronomer, The Letter Writer, The Midwife,
    The Blacksmith, The Dancer, The Ferryman, The Librarian, The Beekeeper, The Painter, The Innkeeper`),
  animals:
    `Bear,Beaver,Crane,Deer,Dolphin,Eagle,Elephant,Falcon,Fox,Hare,Horse,Lion,Lynx,Otter,Owl,Raven,Salmon,Swan,Tiger,Tortoise,Whale,Wolf`.split(
      ",",
    ),
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type DeckName = keyof typeof decks;
export const deckNames = Object.keys(decks).filter(isDeck);

export function isDeck(name: string): name is DeckName {
  return Object.hasOwn(decks, name);
}

/** `the-fool` for "THE FOOL". */
export function faceName(card: string): string {
  return card.toLowerCase().replaceAll(" ", "-");
}

export const deckOf: Readonly<Record<CardOperation, DeckName>> = {
  "daily-tarot": "tarot",
  "daily-tarot-legacy": "tarot",
  "divine-angel-reading": "angels",
  "power-life-reading": "power",
  "egyptian-prediction": "egypt",
  "ex-flame-reading": "love",
  "in-depth-love-reading": "love",
  "love-triangle-reading": "love",
  "past-present-future-reading": "tarot",
  "wisdom-reading": "wisdom",
  "dream-come-true-reading": "dreams",
  "erotic-love-reading": "desire",
  "past-lives-connection-reading": "lives",
};

/** The service writes card names in capitals. */
function deck(names: string): readonly string[] {
  return names.split(",").map((name) => name.trim().toUpperCase());
}
