/** One line of prose and its number in the file. */
export type Line = { readonly number: number; readonly text: string };

/** A comment, description or page: lines that are read together. */
export type Passage = readonly Line[];

/** A sentence that breaks a rule, and the line on which the sentence begins. */
export type Finding = { readonly line: number; readonly rule: string; readonly sentence: string };

/** The longest sentence that is allowed, in words. */
const WORDS_MAX = 20;

const FREE_RELATIVE = /^(What|Whatever|Whose|Who|Whom|Whoever|Whichever|Whether|Of|That|Where)\b/;

const LIST_ITEM = /^\s*([-*•]|\d+[.)])\s+/;
const TABLE_OR_HEADING = /^\s*(\||#{1,6}\s)/;
const FENCE = /^\s*(```|~~~)/;

/** Lines for tools instead of readers. */
const DIRECTIVE = /^\s*(oxlint-|@ts-|oxfmt-ignore|<!--)/;

/** The end of a sentence, when the next one begins with a capital, a digit or a code span. */
const SENTENCE_END = /(?<=[.!?][)"'”’]*)(?<!\b(?:e\.g|i\.e|vs|cf)\.)\s+(?=[("'“‘]*[A-Z0-9`])/g;

/** Lists the sentences of a passage that break a rule. */
export function findings(passage: Passage): Finding[] {
  return paragraphs(passage)
    .flatMap(sentences)
    .flatMap(({ line, sentence }) => broken(sentence).map((rule) => ({ line, rule, sentence })));
}

function broken(sentence: string): string[] {
  const prose = withoutCode(sentence);
  const opening = FREE_RELATIVE.exec(prose.replace(/^[("'“‘*_]+/, ''))?.[1];
  const words = prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return [
    ...(opening ? [`begins with "${opening}"`] : []),
    ...(words > WORDS_MAX ? [`${words} words`] : []),
    ...(prose.includes(';') ? ['holds a semicolon'] : []),
  ];
}

/** Replaces each code span by one word of the same length, so that offsets stay. */
function withoutCode(text: string): string {
  return text.replace(/`[^`]*`/g, (span) => 'x'.repeat(span.length));
}

/** Splits a passage into paragraphs and list items. Code, tables and headings are left out. */
function paragraphs(passage: Passage): Passage[] {
  const done: Line[][] = [[]];
  let fenced = false;
  for (const line of passage) {
    const current = done.at(-1) ?? [];
    const fence = FENCE.test(line.text);
    if (fence) fenced = !fenced;
    const indentedCode = current.length === 0 && /^ {4}/.test(line.text) && !LIST_ITEM.test(line.text);
    if (fence || fenced || indentedCode || line.text.trim() === '' || TABLE_OR_HEADING.test(line.text)) {
      done.push([]);
    } else if (LIST_ITEM.test(line.text)) {
      done.push([{ number: line.number, text: line.text.replace(LIST_ITEM, '') }]);
    } else if (!DIRECTIVE.test(line.text)) current.push(line);
  }
  return done;
}

function sentences(paragraph: Passage): { line: number; sentence: string }[] {
  const text = paragraph.map((line) => line.text.trim()).join(' ');
  const ends = [...withoutCode(text).matchAll(SENTENCE_END)].map((end) => end.index + end[0].length);
  return [0, ...ends].map((start, n) => ({
    line: lineAt(paragraph, start),
    sentence: text.slice(start, ends[n]).trim(),
  }));
}

function lineAt(paragraph: Passage, offset: number): number {
  let length = 0;
  for (const line of paragraph) {
    length += line.text.trim().length + 1;
    if (offset < length) return line.number;
  }
  return paragraph.at(-1)?.number ?? 1;
}
