import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

const SKELETON = join(import.meta.dirname, 'skeleton');
const ROOT = resolve(import.meta.dirname, '../../..');

/** A file to write. `path` is below the root of the repository. */
export type NewFile = { readonly path: string; readonly text: string };

/**
 * Writes the files of a new connector, its double and its contract tests, and returns their paths.
 *
 * Refuses a name that is not kebab-case, and a connector that exists. Changes no existing file.
 */
export async function writeConnector(name: string, root = ROOT): Promise<readonly string[]> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new Error('Name the connector in lower-case words joined by hyphens, for example acme-pay.');
  const files = await filesOf(name);
  for (const { path } of files)
    if (await exists(join(root, dirname(path)))) throw new Error(`${dirname(path)} exists already.`);
  for (const { path, text } of files) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return files.map(({ path }) => path);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The folders of the skeleton, and those of a connector. */
const FOLDERS = [
  { from: 'connector', to: 'src/connectors' },
  { from: 'test', to: 'test/connectors' },
] as const;

async function filesOf(name: string): Promise<readonly NewFile[]> {
  const files = FOLDERS.map(async ({ from }) => {
    const folder = join(SKELETON, from);
    return Promise.all((await readdir(folder)).map((file) => fileOf(name, join(folder, file))));
  });
  return (await Promise.all(files)).flat();
}

async function fileOf(name: string, file: string): Promise<NewFile> {
  const path = targetOf(name, file);
  const text = (await readFile(file, 'utf8'))
    .replaceAll(/(?<=(?:from|join\(HERE,) ')\.[^']+/g, (given) => importOf({ name, file, path, given }))
    .replaceAll(/(?<=['"`/.])skeleton(?=[-:'"`.])/g, name)
    .replaceAll('Skeleton', pascalOf(name))
    .replaceAll('skeleton', camelOf(name));
  return { path, text };
}

/** Returns the place of a file of the skeleton. Other files stay where they are. */
function targetOf(name: string, file: string): string {
  for (const { from, to } of FOLDERS) {
    const below = relative(join(SKELETON, from), file);
    if (!below.startsWith('..')) return join(to, name, below.replace('.template.', '.test.'));
  }
  return relative(ROOT, file);
}

type Import = { readonly name: string; readonly file: string; readonly path: string; readonly given: string };

/** Returns a relative path from the new place of a file. */
function importOf({ name, file, path, given }: Import): string {
  const target = targetOf(name, resolve(dirname(file), given));
  const moved = relative(dirname(path), target).replaceAll('\\', '/');
  return moved.startsWith('.') ? moved : `./${moved}`;
}

const pascalOf = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const camelOf = (name: string): string => pascalOf(name).replace(/^./, (first) => first.toLowerCase());
