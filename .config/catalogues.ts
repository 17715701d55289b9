import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { argumentsOf, pluralsOf, readMessage, type Message } from './messages.ts';

export type Text = { readonly file: string; readonly message: Message };

/** The texts of a language by their places, such as `home.title`, and the sentences about its mistakes. */
export type Catalogue = {
  readonly tag: string;
  readonly texts: ReadonlyMap<string, Text>;
  readonly mistakes: readonly string[];
};

/** Reads and merges the files of a language. Its folder has the tag of the language as its name. */
export async function readCatalogue(root: string, folder: string, tag: string): Promise<Catalogue> {
  const texts = new Map<string, Text>();
  const mistakes: string[] = [];
  const names = (await readdir(join(folder, tag))).filter((name) => name.endsWith('.json')).sort();
  for (const name of names) {
    const path = join(folder, tag, name);
    const file = relative(root, path).split(sep).join('/');
    for (const [place, text] of textsOf(await readFile(path, 'utf8'))) {
      const message = typeof text === 'string' ? readMessage(text) : 'is no text. Write a text in quotes';
      const twice = texts.get(place);
      if (typeof message === 'string') mistakes.push(`${file}: ${place} ${message}.`);
      else if (twice) mistakes.push(`${file}: ${place} is also in ${twice.file}. Remove one of them.`);
      else texts.set(place, { file, message });
    }
  }
  return { tag, texts, mistakes };
}

/** Lists the texts of a file with their places. An unreadable file has one place, without a text. */
function textsOf(json: string): readonly (readonly [place: string, text: unknown])[] {
  try {
    return leavesOf(JSON.parse(json), '');
  } catch (error) {
    return [[`The file is no JSON (${String(error)}): it`, null]];
  }
}

function leavesOf(value: unknown, place: string): (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[place, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, place ? `${place}.${key}` : key));
}

/** Compares a language with English, and its plural forms with those that the language needs. Lists the mistakes. */
export function compare({ tag, texts }: Catalogue, model: Catalogue): string[] {
  const extra = [...texts].filter(([place]) => !model.texts.has(place));
  const checkPlurals = pluralsChecker(tag);
  return [
    ...[...model.texts].flatMap(([place, wanted]) => {
      const found = texts.get(place);
      const file = found?.file ?? wanted.file.replace(`/${model.tag}/`, `/${tag}/`);
      const sentences = found
        ? [...compareArguments(found, wanted), ...checkPlurals(found)]
        : [`is missing. Translate the text of ${wanted.file}`];
      return sentences.map((sentence) => `${file}: ${place} ${sentence}.`);
    }),
    ...extra.map(([place, { file }]) => `${file}: ${place} is not a text in English. Remove it.`),
  ];
}

function compareArguments(found: Text, wanted: Text): string[] {
  const [mine, theirs] = [argumentsOf(found.message), argumentsOf(wanted.message)];
  return [...new Set([...theirs.keys(), ...mine.keys()])].flatMap((name) => {
    if (!mine.has(name)) return [`lacks the argument {${name}}. Name it, as ${wanted.file} does`];
    const type = theirs.get(name);
    if (!type) return [`names {${name}}, which ${wanted.file} does not name. Remove the argument`];
    return mine.get(name) === type ? [] : [`has {${name}} as a ${mine.get(name)}. Write it as a ${type}`];
  });
}

/** Requires the forms for whole numbers below a million. French and others have one more form from there on. */
function pluralsChecker(tag: string): (text: Text) => string[] {
  const rules = new Intl.PluralRules(tag);
  const known = new Set<string>(rules.resolvedOptions().pluralCategories);
  const required = new Set<string>(Array.from({ length: 1000 }, (_, number) => rules.select(number)));
  return ({ message }) =>
    pluralsOf(message).flatMap((forms) => {
      const missing = [...required].filter((form) => !forms.includes(form)).join(', ');
      const unknown = forms.filter((form) => !known.has(form)).join(', ');
      return [
        ...(missing ? [`lacks the plural forms ${missing} of ${tag}. Add them`] : []),
        ...(unknown ? [`has the plural forms ${unknown}, which ${tag} never uses. Remove them`] : []),
      ];
    });
}
