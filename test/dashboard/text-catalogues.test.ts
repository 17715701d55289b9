import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { buildTexts } from '../../.config/build-texts.ts';
import { pluralOf } from '../../src/dashboard/texts/forms.ts';

const ENGLISH = {
  title: 'Payments',
  by: 'Paid by {person}',
  used: '{count, plural, =0 {Never used} one {1 payment} other {# payments of {person}}}',
};
const GERMAN = {
  title: 'Zahlungen',
  by: '{person} hat bezahlt',
  used: '{count, plural, one {1 Zahlung von {person}} other {# Zahlungen von {person}}}',
};

const folder = await mkdtemp(join(tmpdir(), 'paygraph-texts-'));
const [from, to] = [join(folder, 'texts'), join(folder, 'generated')];
beforeEach(() => rm(folder, { recursive: true }).then(() => mkdir(folder)));
afterAll(() => rm(folder, { recursive: true }));

const json = (page: object): string => JSON.stringify({ page });

/** Builds catalogues with the given files, such as `de/page.json`. Returns the sentence that refuses them. */
async function refusalOf(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries({ 'en/page.json': json(ENGLISH), ...files })) {
    await mkdir(dirname(join(from, path)), { recursive: true });
    await writeFile(join(from, path), text);
  }
  return buildTexts(from, to).then(
    () => '',
    (error: unknown) => String(error).replaceAll(/\S*texts\//g, ''),
  );
}

const MISTAKES: readonly (readonly [mistake: string, german: object, sentence: string])[] = [
  [
    'a missing key',
    { ...GERMAN, title: undefined },
    'de/page.json: page.title is missing. Translate the text of en/page.json.',
  ],
  ['an unknown key', { ...GERMAN, more: 'Mehr' }, 'page.more is not a text in English. Remove it.'],
  [
    'a missing argument',
    { ...GERMAN, by: 'Bezahlt' },
    'page.by lacks the argument {person}. Name it, as en/page.json does.',
  ],
  [
    'an unknown argument',
    { ...GERMAN, title: 'Zahlungen {year}' },
    'page.title names {year}, which en/page.json does not name. Remove the argument.',
  ],
  [
    'another type of an argument',
    { ...GERMAN, by: '{person, number} hat bezahlt' },
    'page.by has {person} as a number. Write it as a string.',
  ],
  ['an open brace', { ...GERMAN, by: '{person hat bezahlt' }, 'page.by is no ICU message'],
  ['no form for other numbers', { ...GERMAN, used: '{count, plural, one {1}}' }, 'MISSING_OTHER_CLAUSE'],
  [
    'a missing plural form',
    { ...GERMAN, used: '{count, plural, other {# Zahlungen von {person}}}' },
    'page.used lacks the plural forms one of de. Add them.',
  ],
  [
    'an unknown plural form',
    { ...GERMAN, used: '{count, plural, one {1} two {2} other {# von {person}}}' },
    'page.used has the plural forms two, which de never uses. Remove them.',
  ],
  [
    'a form that is not compiled',
    { ...GERMAN, by: '{person, date}' },
    'page.by has a form of {person} that is not compiled.',
  ],
  ['a number', { ...GERMAN, title: 1 }, 'page.title is no text. Write a text in quotes.'],
];

describe('the compiler of texts', () => {
  it.each(MISTAKES)('refuses %s and writes nothing', async (_, german, sentence) => {
    expect(await refusalOf({ 'de/page.json': json(german) })).toContain(sentence);

    await expect(readdir(to)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['a file that is no JSON', { 'de/page.json': '{' }, 'de/page.json: The file is no JSON'],
    [
      'a text in two files',
      { 'de/page.json': json(GERMAN), 'de/zoo.json': json({ title: 'Zahlungen' }) },
      'de/zoo.json: page.title is also in de/page.json. Remove one of them.',
    ],
  ])('refuses %s', async (_, files, sentence) => {
    expect(await refusalOf(files)).toContain(sentence);
  });

  it('writes functions with the arguments of English in the order of English', async () => {
    expect(await refusalOf({ 'de/page.json': json(GERMAN) })).toBe('');

    expect((await readdir(to)).sort()).toEqual(['de.ts', 'en.ts']);
    expect(await readFile(join(to, 'de.ts'), 'utf8')).toContain('"used": (count, person) => $plural(');
    const english = await readFile(join(to, 'en.ts'), 'utf8');
    expect(english).toContain('readonly "used": (count: number, person: string) => string;');
    expect(english).toContain('(count, person) => (count === 0 ? "Never used" : $plural(count, {');
  });

  it('keeps backquotes, dollars and quoted braces as words', async () => {
    expect(await refusalOf({ 'en/page.json': json({ by: "`$'{person}'` it's <b> {person}" }) })).toBe('');

    expect(await readFile(join(to, 'en.ts'), 'utf8')).toContain("\\`\\${person}\\` it's <b> ${person}`");
  });

  it('compares the words of a select, and formats a number by its skeleton', async () => {
    const by = '{role, select, owner {Owner} other {{role} of {share, number, ::.0}}}';
    expect(await refusalOf({ 'en/page.json': json({ by }) })).toBe('');

    expect(await readFile(join(to, 'en.ts'), 'utf8')).toContain(
      '(role === "owner" ? "Owner" : `${role} of ${$number(share, {"minimumFractionDigits":1',
    );
  });

  it.each([
    [0, 'zero'],
    [1, 'one'],
    [2, 'two'],
    [103, 'few'],
    [11, 'many'],
    [100, 'other'],
  ])('chooses the Arabic form for %i', (count, form) => {
    const forms = { zero: 'zero', one: 'one', two: 'two', few: 'few', many: 'many', other: 'other' };
    expect(pluralOf('ar')(count, forms)).toBe(form);
  });
});
