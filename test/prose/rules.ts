// The prose rules of this project: each pattern is a habit or an old word, with the text to write instead.

export interface Rule {
  readonly write: string;
  readonly pattern: RegExp;
}

/** The longest sentence, in words. Aim for 25. */
export const mostWords = 30;

const habits: readonly Rule[] = [
  {
    write: "name the noun",
    pattern: /(?:^|[.;:,(] )What (?:is|was|has|it|the|a|you|comes|stands|fails)\b/,
  },
  {
    write: "name the noun",
    pattern: /\b(?:and|of|by|for|with|from) what (?:is|was|has|it|the|a|you|comes|stands|fails)\b/,
  },
  { write: "name the person", pattern: /\b[Ww]hoever\b/ },
  { write: "Default:", pattern: /\bunless (?:said|set)\b/ },
  { write: "is in, or applies", pattern: /\bstands?\b(?! ?-?in\b| for\b)/ },
  { write: "is in", pattern: /\b(?:lies|lay)\b/ },
  { write: "again", pattern: /\banew\b/ },
  { write: "continue", pattern: /\bgoes? on\b/ },
  { write: "only", pattern: /\b(?!let\b|leave\b|left\b)\w+ alone\b/ },
  { write: "fix, or repair", pattern: /\bmend(?:s|ed|ing)?\b/ },
  { write: "about", pattern: /\bsome (?=\d|ten|fifteen|twenty)/ },
  { write: "your own", pattern: /\bof (?:yours|ours|its own|your own|their own)\b/ },
  { write: "also, or next to", pattern: /\bbesides?\b/ },
  { write: "remove", pattern: /\btak(?:e|es|en) (?:it |them )?away\b/ },
  { write: "report, or list", pattern: /\b(?:is|are) (?:told|said)\b/ },
  { write: "during the run", pattern: /\bmid-night\b/ },
  { write: "check against", pattern: /\bheld against\b/ },
  { write: "previously", pattern: /\b[Ss]o far\b/ },
  {
    write: "American spelling",
    pattern: /\b(?:colou?r(?<=colour)|licence|favour|behaviour|centre|grey|neighbour|cancell(?:ed|ing))\w*/i,
  },
];

const oldWords: readonly Rule[] = [
  { write: "render", pattern: /\bpress(?:es|ed|ing)?\b(?! (?:Enter|Ctrl|a key|any key|the key|coverage))/i },
  { write: "publish", pattern: /\b(?:the|a|each|every|next|last) turns?\b(?! of)|almanac turn/ },
  { write: "set", pattern: /\bsheets?\b(?<!style ?sheets?)/i },
  { write: "stored response", pattern: /\bcaptures?\b/i },
  { write: "rule, or circuit breaker", pattern: /\bgates?\b/i },
  { write: "endpoint", pattern: /\bservice(?:'s)? address(?:es)?\b|\baddress of the service\b/i },
  { write: "scrub", pattern: /\bpatrol(?:s|led|ling)?\b/i },
  { write: "time source", pattern: /\bwitness(?:es|ed)?\b/i },
  { write: "superseded response", pattern: /\bstand-ins?\b/i },
  { write: "quarantined, or skipped", pattern: /\bset(?:s|ting)? aside\b/i },
  { write: "orphaned file", pattern: /\bstrays?\b/i },
  { write: "error", pattern: /\bmistakes?\b/i },
  { write: "time zone", pattern: /\bhome zones?\b/i },
  { write: "public path", pattern: /\bstable paths?\b/i },
  { write: "obey", pattern: /\bheed(?:s|ed|ing)?\b/i },
  { write: "estimate", pattern: /\breckon(?:s|ed|ing)?\b/i },
  { write: "insight", pattern: /\b(?:fore|hind)sight\b/i },
];

export const rules: readonly Rule[] = [...habits, ...oldWords];

/** Hits that stay, each with its reason. At most 0.3 per 1,000 words. */
export const exceptions: readonly { readonly text: string; readonly reason: string }[] = [];
