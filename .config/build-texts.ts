// Compiles the texts of the dashboard, src/dashboard/texts/<language>/*.json, into src/dashboard/generated/texts. Writes the names
// of payment methods beside them. The build of the dashboard and `npm run generate` run this script.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { METHOD_NAMES } from '../src/http/checkout/look/method-names.ts';
import { compare, readCatalogue, type Catalogue } from './catalogues.ts';
import { argumentsOf, expressionOf } from './messages.ts';

const ROOT = join(import.meta.dirname, '..');

/** The language that gives the keys, the arguments and the types. */
const MODEL = 'en';

/**
 * Compiles the catalogues of a folder into typed functions, one file for each language. Lists all mistakes, and then writes
 * nothing.
 */
export async function buildTexts(
  from = join(ROOT, 'src/dashboard/texts'),
  to = join(ROOT, 'src/dashboard/generated/texts'),
): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  const tags = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const catalogues = await Promise.all(tags.map((tag) => readCatalogue(ROOT, from, tag)));
  const model = catalogues.find(({ tag }) => tag === MODEL);
  if (!model) throw new Error(`${from} has no folder ${MODEL}. Add the texts in English.`);
  check(catalogues, model);
  await mkdir(to, { recursive: true });
  const gone = (await readdir(to)).filter((name) => !tags.includes(name.replace(/\.ts$/, '')));
  await Promise.all([
    ...gone.map((name) => rm(join(to, name))),
    ...catalogues.map((each) => writeChanged(join(to, `${each.tag}.ts`), moduleOf(each, model))),
  ]);
}

/** Writes the names of payment methods for the dashboard, which imports nothing of the server. */
export async function buildMethodNames(to = join(ROOT, 'src/dashboard/generated')): Promise<void> {
  const names = JSON.stringify(METHOD_NAMES, null, 2);
  await mkdir(to, { recursive: true });
  await writeChanged(
    join(to, 'method-names.ts'),
    `// Written by .config/build-texts.ts.\nexport const METHOD_NAMES: Readonly<Record<string, string>> = ${names};\n`,
  );
}

/** Unreadable files come first, because each of their texts would be missing. */
function check(catalogues: readonly Catalogue[], model: Catalogue): void {
  const unreadable = catalogues.flatMap(({ mistakes }) => mistakes);
  const mistakes = unreadable.length > 0 ? unreadable : catalogues.flatMap((each) => compare(each, model));
  if (mistakes.length > 0) throw new Error(['Mend these texts:', ...mistakes].join('\n'));
}

/** Leaves an equal file alone, because a test builds the dashboard again after each change. */
async function writeChanged(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => null)) !== text) await writeFile(path, text);
}

type Tree = { [key: string]: string | Tree };

/** Writes the module of a language. English has the type of all languages, too. */
function moduleOf({ tag, texts }: Catalogue, model: Catalogue): string {
  const parameters = new Map(
    [...model.texts].map(([place, { message }]) => [place, [...argumentsOf(message)]]),
  );
  const values = [...texts].map(([place, { message }]): readonly [string, string] => {
    const names = parameters.get(place)?.map(([name]) => name) ?? [];
    return [place, `${names.length > 0 ? `(${names.join(', ')}) => ` : ''}${expressionOf(message)}`];
  });
  const types = [...parameters].map(([place, given]): readonly [string, string] => {
    const list = given.map(([name, type]) => `${name}: ${type}`).join(', ');
    return [place, given.length > 0 ? `(${list}) => string` : 'string'];
  });
  const code = `export const texts: Texts = ${writeTree([['language', `'${tag}'`], ...values], ['', ','])};`;
  const tools = ['plural', 'number'].filter((tool) => code.includes(`$${tool}(`));
  return [
    '// Written by .config/build-texts.ts.',
    ...tools.map((tool) => `import { ${tool}Of } from '../../texts/forms.ts';`),
    ...(tag === MODEL ? [] : [`import type { Texts } from './${MODEL}.ts';`]),
    ...tools.map((tool) => `const $${tool} = ${tool}Of('${tag}');`),
    code,
    ...(tag === MODEL
      ? [`export type Texts = ${writeTree([['language', 'string'], ...types], ['readonly ', ';'])};`]
      : []),
    '',
  ].join('\n');
}

/** Writes the places as an object in objects, with the given words at the leaves. */
function writeTree(
  leaves: readonly (readonly [place: string, words: string])[],
  [before, behind]: readonly [string, string],
): string {
  const root: Tree = {};
  for (const [place, words] of leaves) {
    const keys = place.split('.');
    const last = keys.pop() ?? '';
    let tree = root;
    for (const key of keys) tree = (tree[key] ??= {}) as Tree;
    tree[last] = words;
  }
  const write = (tree: Tree): string =>
    `{\n${Object.entries(tree)
      .map(
        ([key, value]) =>
          `${before}${JSON.stringify(key)}: ${typeof value === 'string' ? value : write(value)}${behind}\n`,
      )
      .join('')}}`;
  return write(root);
}

if (import.meta.main) await Promise.all([buildTexts(), buildMethodNames()]);
