// The card names of each operation: the tarot's major arcana, and neutral inventions for the other decks.
import type { CardOperation } from "../readings/operations.ts";

const tarot =
  deck(`The Fool, The Magician, The High Priestess, The Empress, The Emperor, The Hierophant, The Lovers,
  The Chariot, Strength, The Hermit, Wheel of Fortune, Justice, The Hanged Man, Death, Temperance, The Devil,
  The Tower, The Star, The Moon, The Sun, Judgement, The World`);

const love =
  deck(`First Letter, Open Window, Shared Table, Old Photograph, Slow Dance, Quiet Harbour, Two Cups,
  Locked Drawer, Long Bridge, Warm Coat, Second Spring, Empty Chair, Garden Gate, Morning Call, Silver Thread,
  Returned Key, Lantern, Crossroads, Rain on Glass, Last Train, Blue Ribbon, New Leaf`);

const desire =
  deck(`Velvet Night, Red Silk, Candle Flame, Bare Feet, Midnight Bath, Whisper, Ripe Fig, Open Door,
  Soft Rain, Jasmine, Mirror, Slow River, Amber, Balcony, Warm Sand, Honey, Secret Letter, Masked Ball, Pearl,
  Summer Storm`);

export const decks: Record<CardOperation, readonly string[]> = {
  "daily-tarot": tarot,
  "daily-tarot-legacy": tarot,
  "divine-angel-reading":
    deck(`Angel of Patience, Angel of Mercy, Angel of Courage, Angel of Hope, Angel of Rest,
    Angel of Truth, Angel of Joy, Angel of Healing, Angel of Home, Angel of Travel, Angel of Friendship,
    Angel of Memory, Angel of Dawn, Angel of Dusk, Angel of Letters, Angel of Gardens, Angel of Music,
    Angel of Silence, Angel of Beginnings, Angel of Farewells`),
  "power-life-reading":
    deck(`Root, Seed, Spring, River, Mountain, Storm, Ember, Harvest, Horizon, Compass, Anchor,
    Bridge, Threshold, Summit, Tide, Forge, Shield, Beacon, Wheel, Crown`),
  "egyptian-prediction":
    deck(`The Scribe, The Reed Boat, The Lotus, The Scarab, The Falcon, The Ibis, The Sphinx,
    The Papyrus, The Obelisk, The Well, The Date Palm, The Flood, The Granary, The Desert Wind, The Two Lands,
    The Weaver, The Potter, The Feather, The Lamp, The Gate of Stars`),
  "ex-flame-reading": love,
  "in-depth-love-reading": love,
  "love-triangle-reading": love,
  "past-present-future-reading": tarot,
  "wisdom-reading": deck(`Still Water, Bamboo, White Stone, Black Stone, Crane, Old Pine, Full Moon, New Moon,
    Tea Bowl, Ink Brush, Mountain Path, Empty Boat, First Snow, Open Hand, Closed Gate, Wind in Reeds, Deep Well,
    Paper Lantern, Turning Leaf, Silent Bell`),
  "dream-come-true-reading":
    deck(`Ladder, Paper Kite, Sleeping Cat, Golden Key, Cloud House, Night Train, Wishing Well,
    Feather Bed, Moon Gate, Hidden Stair, Music Box, Snow Globe, White Horse, Open Map, Falling Star, Magic Lamp,
    Morning Bird, Sail, Hourglass, Glass Slipper`),
  "erotic-love-reading": desire,
  "past-lives-connection-reading":
    deck(`The Healer, The Sailor, The Baker, The Pilgrim, The Gardener, The Musician,
    The Watchmaker, The Shepherd, The Teacher, The Weaver, The Astronomer, The Letter Writer, The Midwife,
    The Blacksmith, The Dancer, The Ferryman, The Librarian, The Beekeeper, The Painter, The Innkeeper`),
};

export const animals = [
  ..."Bear Beaver Crane Deer Dolphin Eagle Elephant Falcon Fox Hare Horse Lion Lynx Otter Owl Raven".split(
    " ",
  ),
  ..."Salmon Swan Tiger Tortoise Whale Wolf".split(" "),
];

/** The service writes card names in capitals. */
function deck(names: string): readonly string[] {
  return names.split(",").map((name) => name.trim().toUpperCase());
}
