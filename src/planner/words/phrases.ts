/** Phrases of general English and the cue each gives; the longest match at a place wins. */
import type { ConceptName, Cue, Direction, Operator } from "./lexicon.ts";

type Phrases = [string, Cue][];

const many = (text: string, cue: Cue): Phrases => text.split("|").map((phrase) => [phrase.trim(), cue]);

const comparison = (text: string, operator: Operator, concept?: ConceptName): Phrases =>
  many(text, concept ? { cue: "compare", operator, concept } : { cue: "compare", operator });

const superlative = (text: string, direction: Direction, concept?: ConceptName): Phrases =>
  many(text, concept ? { cue: "superlative", direction, concept } : { cue: "superlative", direction });

/** Phrases of one or more words; the longest match at a place wins. */
const phrases: Phrases = [
  ...many(
    "how many|counts|the counts|respective counts|their counts|number of|count of|the count|the number|count the|how often|amount of times|count the number of|count up the number of|count the total number of|numbers of|total number of|total count of|the total number of|overall number of|what number of|in how many|count|no . of|no of|# of|num of",
    { cue: "how-many" },
  ),
  ...many("how much", { cue: "how-much" }),
  ...many("how long", { cue: "how-much", concept: "duration" }),
  ...many("how old", { cue: "how-much", concept: "age" }),
  ...many("how expensive", { cue: "how-much", concept: "price" }),
  ...many("how big|how large", { cue: "how-much", concept: "size" }),
  ...many("how heavy", { cue: "how-much", concept: "weight" }),
  ...many("how tall", { cue: "how-much", concept: "height" }),
  ...many("which|what|what's|in which|in what|at which|for which|on which", { cue: "wh" }),
  ...many("who|whom|who's", { cue: "who" }),
  ...many("when|on what date|on which date|at what time", { cue: "when" }),
  ...many("where", { cue: "where" }),
  ...many(
    "list|show|give|find|return|display|get|tell|provide|print|fetch|retrieve|select|please|show me|give me|tell me|i want|i need|i would like|we need|can you|could you|let me know|identify|compute|calculate|report the|enumerate|describe|rank the|what about",
    { cue: "command" },
  ),
  ...many(
    "each|every|for each|for every|per|in each|of each|in every|of every|by each|for each of|for each of the|for all of|for all of the|each of the|every single|for all|on each|within each|broken down by|grouped by|group by|split by|separately for|for the different|for different|for all the different|for all different|for all the distinct|for all distinct|across all|across the different|from each|at each|to each|with each",
    { cue: "each" },
  ),
  ...many("all|all of|all the|all our|any", { cue: "all" }),
  ...many(
    "different|distinct|unique|distinct list of|unique list of|list of distinct|list of unique|list of different|a distinct list of|the distinct list of|without repeating|without repetition|without repetitions|without duplicates|without duplication|without any duplicates|no duplicates|with no duplicates|non-repeated|deduplicated",
    { cue: "distinct" },
  ),
  ...many("only|just|solely", { cue: "only" }),
  ...many("average|mean|avg|on average|averaged", { cue: "aggregate", fn: "AVG" }),
  ...many("median|median of", { cue: "aggregate", fn: "MEDIAN" }),
  ...many(
    "total|sum|overall|combined|altogether|in total|the sum of|sum of|total of|total amount of|cumulative|summed|the total of|in all|in sum",
    { cue: "aggregate", fn: "SUM" },
  ),
  ...many("maximum|max", { cue: "aggregate", fn: "MAX" }),
  ...many("minimum|min", { cue: "aggregate", fn: "MIN" }),
  ...many(
    "most|the most|greatest number of|largest number of|highest number of|maximum number of|biggest number of|most number of|the highest number of|the largest number of|the greatest number of",
    { cue: "superlative", direction: "DESC", counting: true },
  ),
  ...many(
    "fewest|the fewest|least|the least|smallest number of|lowest number of|least number of|minimum number of|fewest number of|the lowest number of|the smallest number of|the fewest number of|the least number of",
    { cue: "superlative", direction: "ASC", counting: true },
  ),
  ...superlative("highest|largest|biggest|greatest|best|top most|topmost|strongest|richest|busiest", "DESC"),
  ...superlative("lowest|smallest|worst|weakest|tiniest", "ASC"),
  ...superlative("longest|lengthiest", "DESC", "duration"),
  ...superlative("shortest", "ASC", "duration"),
  ...superlative("most expensive|priciest|dearest|costliest|most costly", "DESC", "price"),
  ...superlative("cheapest|least expensive", "ASC", "price"),
  ...superlative("oldest|eldest", "DESC", "age"),
  ...superlative("youngest", "ASC", "age"),
  ...superlative("latest|most recent|newest|last|most recently|final", "DESC", "date"),
  ...superlative("earliest|first|least recent", "ASC", "date"),
  ...superlative("heaviest", "DESC", "weight"),
  ...superlative("lightest", "ASC", "weight"),
  ...superlative("tallest", "DESC", "height"),
  ...superlative("fastest", "DESC", "speed"),
  ...superlative("slowest", "ASC", "speed"),
  ...superlative("most populous|most populated", "DESC", "population"),
  ...superlative(
    "best-selling|best selling|top-selling|top selling|bestselling|most sold|most purchased|most bought|most often sold|most often bought|most frequently purchased|most frequently sold|most frequently bought",
    "DESC",
    "quantity",
  ),
  ...superlative("worst-selling|worst selling|least sold|least purchased|least bought", "ASC", "quantity"),
  ...superlative(
    "top-earning|highest-earning|highest earning|highest-grossing|top-grossing|highest grossing|most profitable|most valuable|top spending|highest spending|biggest spending|most lucrative|highest paying|top paying",
    "DESC",
    "money",
  ),
  ...superlative("highest paid|highest-paid|best paid|best-paid|top paid|top-paid|most highly paid", "DESC", "pay"),
  ...superlative("lowest paid|lowest-paid|worst paid|worst-paid|least paid", "ASC", "pay"),
  ...many(
    "most popular|most common|most frequent|most frequently used|commonest|most used|most widely used|most prevalent|most often|most times|the most times|the most often|the most frequently|most number of times|the most number of times|the greatest number of times|the highest number of times|the largest number of times",
    { cue: "popular", direction: "DESC" },
  ),
  ...many(
    "least popular|least common|rarest|least frequent|least used|fewest times|the fewest times|least times|the least times|the least often|the fewest number of times|the least number of times",
    { cue: "popular", direction: "ASC" },
  ),
  ...many("top", { cue: "top" }),
  ...many("bottom", { cue: "superlative", direction: "ASC" }),
  ...comparison(
    "more than|greater than|over|above|exceeding|exceeds|exceed|larger than|bigger than|higher than|in excess of|greater|surpassing|is over|beyond|upwards of|better than|>|more then|greater then",
    ">",
  ),
  ...comparison(
    "less than|fewer than|under|below|smaller than|lower than|not reaching|beneath|worse than|<|less then",
    "<",
  ),
  ...comparison(
    "at least|no less than|not less than|no fewer than|minimum of|or more than|greater than or equal to|more than or equal to|at minimum|not below|not under|a minimum of|> =|>=",
    ">=",
  ),
  ...comparison(
    "at most|no more than|not more than|up to|maximum of|less than or equal to|at maximum|not above|not over|a maximum of|not exceeding|< =|<=",
    "<=",
  ),
  ...comparison("different from|not the same as|other than its|differs from|differ from", "<>"),
  ...comparison("exactly|equal to|equals|precisely|is equal to", "="),
  ...comparison("longer than", ">", "duration"),
  ...comparison("shorter than", "<", "duration"),
  ...comparison("older than", ">", "age"),
  ...comparison("younger than", "<", "age"),
  ...comparison("heavier than", ">", "weight"),
  ...comparison("lighter than", "<", "weight"),
  ...comparison("taller than", ">", "height"),
  ...comparison("faster than", ">", "speed"),
  ...comparison(
    "more expensive than|costing more than|costlier than|pricier than|that cost more than|cost more than|costs more than|priced above|priced over|cost over",
    ">",
    "price",
  ),
  ...comparison(
    "cheaper than|less expensive than|costing less than|cost less than|costs less than|priced below|priced under|cost under",
    "<",
    "price",
  ),
  ...comparison("costing at least|cost at least|costs at least", ">=", "price"),
  ...comparison("costing at most|cost at most|costs at most", "<=", "price"),
  ...many("between|ranging from|in the range", { cue: "between" }),
  ...many(
    "above average|above-average|higher than average|more than average|greater than average|longer than average|over average|better than average|larger than average",
    { cue: "average-compare", operator: ">" },
  ),
  ...many(
    "below average|below-average|lower than average|less than average|shorter than average|under average|smaller than average",
    { cue: "average-compare", operator: "<" },
  ),
  ...many(
    "no one|nobody|not|n't|never|don't|doesn't|didn't|isn't|aren't|wasn't|weren't|hasn't|haven't|hadn't|can't|cannot|neither|nor|not yet|have yet to|has yet to|no longer|didnt|dont|doesnt|not even|other than|except|except for|excluding|apart from|but not|outside|outside of|outside the|not ever|failed to|not any|never any",
    { cue: "not" },
  ),
  ...many(
    "no|without|without any|zero|without a|without an|with no|lack|lacks|lacking|don't have any|doesn't have any|does not have any|do not have any|did not have any|didn't have any|don't have a|doesn't have a|does not have a|do not have a|do not have an|does not have an|has not any|have not any|not a single|none of the|not one",
    { cue: "no" },
  ),
  ...many(
    "missing|unknown|empty|blank|unspecified|not set|null|not recorded|not known|not specified|not given|undefined|unset|not available|not filled in|not provided|not listed|not stated",
    { cue: "null" },
  ),
  ...many(
    "set|known|specified|recorded|filled in|not null|not empty|provided|given|on file|non-null|not missing|available|registered|listed|stored|on record",
    { cue: "set" },
  ),
  ...many(
    "in descending order of|in descending order by|sorted in descending order by|ordered in descending order by|in decreasing order of|descending order of|in the descending order of",
    {
      cue: "order",
      direction: "DESC",
    },
  ),
  ...many(
    "in ascending order of|in ascending order by|sorted in ascending order by|ordered in ascending order by|in increasing order of|ascending order of|in the ascending order of",
    {
      cue: "order",
      direction: "ASC",
    },
  ),
  ...many(
    "sorted by|ordered by|order by|sort by|sorted in order of|in order of|ordered in|ordered|sorted|sort|order|in the order of|arranged by|ranked by|rank by|sort them by|order them by|sort the results by|order the results by|sort results by|order the result by|order results by|sorted according to",
    { cue: "order" },
  ),
  ...many(
    "ascending|in ascending order|increasing|low to high|from low to high|lowest first|lowest to highest|from lowest to highest|smallest first|least first|fewest first|from the lowest to the highest|in increasing order|from smallest to largest|smallest to largest|cheapest first|shortest first|asc|ascending order|from least to most|in ascending|from fewest to most|from short to long|youngest to oldest|from the youngest to the oldest|from youngest to oldest",
    { cue: "direction", direction: "ASC" },
  ),
  ...many(
    "descending|in descending order|decreasing|high to low|from high to low|highest first|highest to lowest|from highest to lowest|largest first|biggest first|most first|best first|from the highest to the lowest|in decreasing order|from largest to smallest|largest to smallest|longest first|most expensive first|desc|descending order|from most to least|from the oldest to the youngest|from oldest to youngest|oldest to youngest|greatest first|in descending|top first|from most to fewest|longest to shortest|from longest to shortest|from high to low|largest to smallest",
    { cue: "direction", direction: "DESC" },
  ),
  ...many(
    "oldest first|earliest first|chronologically|in chronological order|chronological|chronological order|from oldest to newest|oldest to newest|earliest to latest|from earliest to latest|by date",
    { cue: "direction", direction: "ASC" },
  ),
  ...many(
    "newest first|latest first|most recent first|reverse chronological|in reverse chronological order|from newest to oldest|from latest to earliest|newest to oldest|from most recent to oldest",
    { cue: "direction", direction: "DESC" },
  ),
  ...many(
    "alphabetically|in alphabetical order|alphabetical order|alphabetical|in alphabetic order|from a to z|a to z|a-z|in lexicographic order|in lexicographical order|in ascending alphabetical order|alphabetic order|in ascending lexicographical order",
    { cue: "alphabetical", direction: "ASC" },
  ),
  ...many(
    "in reverse alphabetical order|reverse alphabetical order|from z to a|in descending alphabetical order|reverse alphabetically|in descending lexicographical order|in reverse lexicographical order",
    { cue: "alphabetical", direction: "DESC" },
  ),
  ...many(
    "share|share of|percentage|percentage of|percent of|percent|proportion|proportion of|fraction|fraction of|ratio|ratio of|what percent of|pct|in percent|as a percentage|as percentage|as percent|as a percentage of",
    { cue: "share" },
  ),
  ...many("and|as well as|and also|plus|also|&|and then", { cue: "and" }),
  ...many("or", { cue: "or" }),
  ...many("both", { cue: "both" }),
  ...many(",|;|:", { cue: "comma" }),
  ...many(".|?|!", { cue: "stop" }),
  ...many("but", { cue: "contrast" }),
  ...many(
    "along with|together with|with their|with its|with his|with her|including their|including its|including the|and their|and its|with the corresponding|showing|accompanied by|alongside|including|with respective|and the corresponding|plus their|and his|and her|with the respective",
    { cue: "along" },
  ),
  ...many(
    "over all|over all the|of|by|from|in|on|at|for|to|through|via|during|within|with|into|under the|as|across|inside|among|among the|belonging to|of the|in the|on the|from the|by the|for the|at the|to the|with the|with a|with an|of our|of a|of an|in our|within the|through their|out of|about|regarding|against|throughout|via their|near|per the|of all|of all the|from all|for all the|in all the|of any|of these|of those|of their|of its",
    { cue: "preposition", word: "" },
  ),
  ...many(
    "that|which have|who have|that have|that has|who has|which has|who had|whose|where the|such that|those who|those that|those which|having|that are|who are|which are|that were|who were|which were|that is|who is|which is|that was|who was",
    { cue: "relative", word: "" },
  ),
  ...many("is|are|was|were|be|been|being|am|are there|is there|were there|was there|there are|there is|there were", {
    cue: "be",
  }),
  ...many("do|does|did|will|would|can|could|should|may|might|must|done", { cue: "do" }),
  ...many(
    "have|has|had|'ve|got|having|own|owns|accounts for|account for|makes up|is responsible for|are responsible for|is in charge of|are in charge of|contain|contains|include|includes|possess|hold|holds|owned",
    { cue: "have" },
  ),
  ...many(
    "including those with none|including those without|include those with none|including zero|including zeros|including zeroes|even if none|even those with none|including the ones with none|including those that have none|even if they have none|including ones without|including those with no|including none|including empty ones|also those with none|include those without|keep those with none|with zero counts|including those with zero|even when there are none|even those without|including the ones without",
    { cue: "include-none" },
  ),
  ...many(
    "sold|selling|sells|sell|purchased|bought|buy|buys|purchase|purchasing|buying|ordered by customers|sales of",
    { cue: "sold" },
  ),
  ...many("including ties|with ties", { cue: "ties" }),
  ...many("same|the same", { cue: "same" }),
  ...many(
    "starting with|start with|starts with|beginning with|begins with|begin with|starting with the letter|starts with the letter|start with the letter|beginning with the letter|begins with the letter|begin with the letter|that starts with|starting with letter|starts with the word|begins with the word|start with the word|beginning with the word|starting with the word|beginning with the letters|starting with the letters|begins with the letters|starts with the letters",
    { cue: "starts" },
  ),
  ...many(
    "ending with|ends with|end with|ending in|ends in|end in|end in the letter|ends with the letter|end with the letter|ending with the word|ends with the word|end with the word|ending with the letter|ending in the word",
    { cue: "ends" },
  ),
  ...many(
    "containing|contains the word|containing the word|contain the word|contains the words|contain the words|including the word|includes the word|include the word|contains the substring|contain the substring|containing the substring|with the word|has the word|have the word|containing the text|contains the text|with the substring|has the substring|with substring|contains the letter|like|containing the string|contains the string|includes the text|mentioning|that mentions|mention|mentions",
    { cue: "contains" },
  ),
  ...many("reports to|report to|reporting to|reported to|works under|supervised by|managed by|works for", {
    cue: "self",
  }),
  ...many(
    "year|years|yearly|annually|by year|annual|each year|per year|calendar year|year by year|in each year|for each year|every year",
    { cue: "bucket", unit: "year" },
  ),
  ...many(
    "month|months|monthly|by month|each month|per month|month by month|in each month|for each month|every month|calendar month",
    { cue: "bucket", unit: "month" },
  ),
  ...many(
    "quarter|quarters|quarterly|by quarter|per quarter|each quarter|in each quarter|for each quarter|every quarter",
    { cue: "bucket", unit: "quarter" },
  ),
  ...many("per day|daily|by day|each day|every day|for each day|in each day", { cue: "bucket", unit: "day" }),
  ...many("day of the week|weekday|day of week|by weekday|per weekday", { cue: "bucket", unit: "weekday" }),
  ...many(
    "either|each time|as well|his or her|her or his|the|a|an|their|its|our|his|her|your|my|them|they|it|we|us|i|me|this|these|those|there|please|then|so|such|corresponding|respective|respectively|some|one|ones|other|another|value|values|also|too|ever|already|yet|currently|really|actually|info|information|details|detail|entry|entries|record|records|database|whole|entire|ones|given that|if|while|when considering|considering|overall|whether|question|result|results|answer|combinations of|combination of|all combinations of|list of|a list of|the list of|kind of|made up|like to|want|need|know|possible|based on|in terms of|according to|in the database|in our database|in the system|in the data|in the table|stored|appears|appear|appearing|single|itself|themselves|existing|kinds of|type of thing|dollars|dollar|usd|euros|euro|more",
    { cue: "filler" },
  ),
];

/** The longest known phrase wins where it is looked up; the first entry of a phrase counts. */
export const phraseIndex = new Map<string, Cue>();
for (const [phrase, cue] of phrases) if (!phraseIndex.has(phrase)) phraseIndex.set(phrase, cue);
