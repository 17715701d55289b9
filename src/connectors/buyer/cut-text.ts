const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Cuts a text to a number of Unicode code points, and never inside of a character that people see. Null if nothing is left.
 */
export function cutText(text: string | null, max: number): string | null {
  if (text === null || text === '') return null;
  if (text.length <= max) return text;
  let cut = '';
  let count = 0;
  for (const { segment } of characters.segment(text)) {
    count += Array.from(segment).length;
    if (count > max) break;
    cut += segment;
  }
  return cut.trim() || null;
}

/** The letters of Latin alphabets that are no letter of ASCII with an accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L' },
  ...{ đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ı: 'i', '’': "'", '‘': "'" },
};

/**
 * Writes a text in a provider's alphabet for statements. Accents go, and each other character that `refused` finds becomes a
 * space. At most `max` characters. Null without a letter, because banks demand one.
 */
export function statementText(text: string, refused: RegExp, max: number): string | null {
  const plain = Array.from(text, (letter) => LETTERS[letter] ?? letter)
    .join('')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(refused, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  const cut = cutText(plain, max)?.trim() ?? '';
  return /[A-Za-z]/.test(cut) ? cut : null;
}
