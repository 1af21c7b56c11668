/** Chips put whole phrases into a free text and take them out again; the text stays the reviewer's to edit. */

const wordCharacter = /[\p{L}\p{N}_]/u;
const ended = /[.!?;:…]$/;

/** Where the phrase stands as whole words; -1 when it doesn't, so that `in 1` is not found within `in 12`. */
function findWords(text: string, words: string): number {
  const phrase = bare(words);
  if (!phrase) return -1;
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + phrase.length);
    if (!wordCharacter.test(before) && !wordCharacter.test(after)) return at;
  }
  return -1;
}

const bare = (words: string): string => words.trim().replace(/[.\s]+$/, "");
const asSentence = (words: string): string => (ended.test(words.trim()) ? words.trim() : `${words.trim()}.`);

export const hasWords = (text: string, words: string): boolean => findWords(text, words) >= 0;

export function addWords(text: string, words: string): string {
  if (!bare(words) || hasWords(text, words)) return text;
  const standing = text.trimEnd();
  return standing ? `${asSentence(standing)} ${asSentence(words)}` : asSentence(words);
}

export function removeWords(text: string, words: string): string {
  const at = findWords(text, words);
  if (at < 0) return text;
  const before = text.slice(0, at).trimEnd();
  const after = text.slice(at + bare(words).length).replace(/^[.]?[^\S\n]*/, "");
  return before && after && !after.startsWith("\n") ? `${before} ${after}` : before + after;
}

export const toggleWords = (text: string, words: string): string =>
  hasWords(text, words) ? removeWords(text, words) : addWords(text, words);

/** Replaces the sentence that answered a question before; an empty answer takes it away. */
export function answerWords(text: string, question: string, previous: string, answer: string): string {
  const sentence = (words: string) => `“${question.trim()}”: ${words.trim()}`;
  const had = previous.trim() !== "";
  const has = answer.trim() !== "";
  const at = had ? text.indexOf(sentence(previous)) : -1;
  if (at >= 0) {
    const end = at + sentence(previous).length;
    if (has) return text.slice(0, at) + sentence(answer) + text.slice(end);
    return (text.slice(0, at).trimEnd() + text.slice(end)).trim();
  }
  if (!has) return text;
  const standing = text.trimEnd();
  return standing ? `${standing}\n${sentence(answer)}` : sentence(answer);
}
