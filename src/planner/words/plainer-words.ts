/**
 * Ways of asking that analysts use, with the plainer words that the clause tree reads. General English only: no name of a
 * table, a column or a value.
 */
const money = "(?:total )?(?:revenue|sales|spending|income|earnings|turnover|amount)";
const end = "(?=\\s*(?:$|[?.,!]|\\b(?:in|to|among|for|by|during|within|across|from|and|of|at)\\b))";

/** Each with the plainer words that it is put in. */
export const plainerWords: [RegExp, string][] = [
  [new RegExp(`\\b(?:a )?(?:higher|greater|larger|bigger) (?=${money} (?:in|during|for) )`, "i"), "more "],
  [new RegExp(`\\b(?:a )?(?:lower|smaller) (?=${money} (?:in|during|for) )`, "i"), "less "],
  [/\bat least an? (?=[a-z])/gi, "at least one "],
  [/\bin terms of (?=(?:the )?(?:total |number )?(?:of )?\w)/gi, "by "],
  // "how many minutes long is the average track"
  [
    /^how many (milliseconds|seconds|minutes|hours)(?: long)? (is|are|does|do) (.+?)(?: last| take| run)?(?=[?.!]*$)/i,
    "How long $2 $3 in $1",
  ],
  [/^how many (seconds|minutes|hours|megabytes|gigabytes) of (?=\w)/i, "Total length in $1 of "],
  // "which genre sells best", "the artists that sold the least"
  [
    new RegExp(
      `\\b((?:which|what) )((?:\\w+ ){0,2}\\w+) (?:sells?|sold|is selling|are selling|has sold|have sold) (?:the )?(?:best|most)${end}`,
      "i",
    ),
    "What are the best-selling $2",
  ],
  [
    new RegExp(
      `\\b((?:which|what) )((?:\\w+ ){0,2}\\w+) (?:sells?|sold|is selling|are selling) (?:the )?(?:worst|least)${end}`,
      "i",
    ),
    "What are the worst-selling $2",
  ],
  [
    /\b(the|all) ((?:\w+ ){0,2}\w+) (?:that|which) (?:sells?|sold) (?:the )?(?:best|most)(?=\s*(?:$|[?.,!]))/i,
    "$1 best-selling $2",
  ],
  [/\b(is|are|was|were|has|have|had)n['’]t\b/gi, "$1 not"],
  // "in alphabetical order of the artist": by whose name, not by what is shown
  [
    /(?<!(?:reverse|descending) )\b(?:(?:sorted|ordered|listed) )?(?:in )?(?:alphabetical order|alphabetically) (?:of|by) (?=[a-z])/gi,
    "ordered by ",
  ],
  // "in order of the date they were hired"
  [
    /\b(?:the )?(?:date|day|time) (?:when |that |on which |at which )?(?:they|it|he|she|each one|each) (?:was|were|has been|have been|had been) (\w+(?:ed|en|wn|rn|lt))\b/gi,
    "the $1 date",
  ],
  // "the top 5 by revenue with their total": the figure that they are ranked by
  [
    new RegExp(
      `\\bby (${money}|number of \\w+)\\b(.*?),? (?:with|and|along with|including|together with) (?:their|its|the) (?:totals?|amounts?|sums?|figures?)(?=\\s*[?.!]*$)`,
      "i",
    ),
    "by $1$2 with their $1",
  ],
  [
    new RegExp(
      `\\bby (${money})\\b(.*?),? and how much (?:did|do|does|have|has) (?:they|it|each(?: one)?(?: of them)?) (?:make|made|earn|earned|bring in|brought in|sell|sold|spend|spent|generate|generated)(?: each)?(?=\\s*[?.!]*$)`,
      "i",
    ),
    "by $1$2 with their $1",
  ],
  // "made more than 200 in sales"
  [
    new RegExp(
      `\\b(?:made|make|makes|brought in|bring in|generated?|earned|earn|had|have|reached) ((?:more|less|fewer) than|over|under|at least|at most|above|below) (\\S+) (?:in|of) (${money})\\b`,
      "i",
    ),
    "have total $3 of $1 $2",
  ],
  [
    new RegExp(
      `\\b(with|having) ((?:more|less|fewer) than|over|under|at least|at most|above|below) (\\S+) (?:in|of) (${money})\\b`,
      "i",
    ),
    "$1 total $4 of $2 $3",
  ],
  [new RegExp(`^(.{2,30}?) (?:vs\\.?|versus) (.{2,30}?) (${money})(?=[?.!]*$)`, "i"), "Compare the $3 of $1 and $2"],
  // "how many invoices per customer on average", "on average, how many tracks does a playlist have"
  [
    /^on average,? how many (.+?) (?:does|do|did) (?:a|an|each|every|the average) (.+?) (?:have|has|contain|hold|make|place|own|include|get|receive)(?: got)?\b/i,
    "What is the average number of $1 per $2",
  ],
  [
    /^how many (.+?) (?:does|do|did) (?:a|an|each|every|the average) (.+?) (?:have|has|contain|hold|make|place|own|include|get|receive) on average\b/i,
    "What is the average number of $1 per $2",
  ],
  [/^how many (.+?) per (.+?) on average\b/i, "What is the average number of $1 per $2"],
  [/^on average,? how many (.+?) (?:are there )?per (.+?)(?=[?.!]*$)/i, "What is the average number of $1 per $2"],
  [
    /^how many (.+?) (?:are|is) (?:there )?(?:in|on|per) (?:a|an|each|every) (.+?) on average\b/i,
    "What is the average number of $1 per $2",
  ],
  [
    /^on average,? how much (?:does|do|did) (?:an? |each |every |the average )?(.+?) (?:spend|pay)(?: in total)?\b/i,
    "What is the average spending per $1",
  ],
  [
    /^how much (?:does|do|did) (?:an? |each |every |the average )?(.+?) (?:spend|pay)(?: in total)? on average\b/i,
    "What is the average spending per $1",
  ],
  // "which country comes third in revenue"
  [
    /\b(which|what) (\w+(?: \w+)?) (?:comes?|came|ranks?|ranked|is|was|places?|placed) (second|third|fourth|fifth) (?:in|by|for|in terms of|with) (?:the )?(.+)$/i,
    "$1 $2 has the $3 highest $4",
  ],
  [/\b(top|biggest|highest|largest) spenders\b/i, "highest spending customers"],
  // "USA vs Canada: total revenue"
  [
    /^(?!compare)(.{2,40}?) (?:vs\.?|versus) (.{2,40}?)(?::| [-–]|,) (?:the )?(.+?)(?=[?.!]*$)/i,
    "Compare the $3 of $1 and $2",
  ],
  [/ vs\.? /gi, " versus "],
  // "…, beginning with the most recent one": an order of all of them
  [
    /,? (?:and )?(?:beginning|starting|begin|start) with the (most recent|newest|latest|oldest|earliest|largest|biggest|highest|longest|most expensive|lowest|smallest|shortest|cheapest)(?: (?:one|ones))?(?=\s*[?.!]*$)/i,
    ", $1 first",
  ],
  // "which … do A and B have in common"; "shared by" is read where the items are known
  [/^((?:which|what) .+?) do (?:both )?(.+? and .+?) (?:have in common|share)(?=[?.!]*$)/i, "$1 do both $2 have"],
  [/\b(took|take|takes|taken|taking) part in (?=\p{L})/giu, "participated in "],
  [/\bcompare how many (\w+) (.+?) (?:have|has|had)\b/i, "Compare the number of $1 of $2"],
  [/^name (?=(?:the|all|an?|every|each|our|my|\d+|two|three|four|five|ten)\b)/i, "List "],
];

/** Where a table refers to itself: whoever stands above or below; `titles` are what the key to it is called. */
export const managerWords = (titles: readonly string[]): [RegExp, string][] => {
  const boss = ["manager", "boss", "supervisor", "superior", ...titles].join("|");
  return [
    [/\b(?:works?|working) (?:for|under) (?=\p{Lu})/u, "report to "],
    // "Who does X report to?", "Who is X's boss?"
    [
      /^(?:to whom|whom|who) (?:does|did|do) (?!(?:each|every|all|the employees?)\b)(.+?) report(?: to)?(?=[?.!]*$)/i,
      "Who is the manager of $1",
    ],
    [new RegExp(`^(who (?:is|are|was) )(?!the )((?:\\S+ ){0,3}\\S+?)['’]s? (${boss})\\b`, "i"), "$1the $3 of $2"],
    [new RegExp(`\\bof ((?!the )(?:\\S+ ){0,3}\\S+?)['’]s? (${boss})\\b`, "i"), "of the $2 of $1"],
    [
      /^who (?:manages|supervises|is managing|is supervising|managed|supervised) (.+?)(?=[?.!]*$)/i,
      "Who is the manager of $1",
    ],
    [
      new RegExp(
        `\\bthe (?:full )?names? of (?:his or her|his\\/her|her or his|their|its|the) (${boss})s?(?=\\s*(?:$|[?.,!]))`,
        "i",
      ),
      "their $1's name",
    ],
    [new RegExp(`\\b(?:has|have|had|having) (.+?) as (?:their|his|her|a|the|its) (?:${boss})\\b`, "i"), "report to $1"],
    [new RegExp(`\\bwhose (?:${boss}) is (?!(?:older|younger|not|from|in|an?)\\b)`, "i"), "who report to "],
    [/\b(?:do|does|did) ?(?:not|n['’]t) report to any(?:one|body)\b/i, "have no manager"],
    [/\breports? to (?:no one|no-one|nobody)\b/i, "have no manager"],
  ];
};
