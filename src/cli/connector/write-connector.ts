import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../platform/operator-error.ts';
import { VERSION } from '../../platform/process/version.ts';
import { UsageError } from '../exit-code.ts';

const SKELETON = join(import.meta.dirname, 'skeleton');

const TEMPLATE = '.template';

/**
 * Writes the project of a new connector into a new folder, with a double and its contract tests. Returns the folder and its
 * files.
 *
 * Refuses a name that is not kebab-case, and a folder that exists.
 */
export async function writeConnector(
  name: string,
  below = process.cwd(),
): Promise<{ readonly folder: string; readonly files: readonly string[] }> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new UsageError('Name the connector in lower-case words joined by hyphens, for example acme-pay.');
  const folder = `paygraph-${name}`;
  if (existsSync(join(below, folder)))
    throw new OperatorError(
      `The folder ${folder} exists already. Choose another name, or remove the folder.`,
    );
  const templates = (await readdir(SKELETON, { recursive: true })).filter((each) => each.endsWith(TEMPLATE));
  const files = await Promise.all(
    templates.map(async (template) => {
      const path = join(folder, template.slice(0, -TEMPLATE.length).replace(/^gitignore$/, '.gitignore'));
      await mkdir(dirname(join(below, path)), { recursive: true });
      await writeFile(join(below, path), filled(await readFile(join(SKELETON, template), 'utf8'), name));
      return path;
    }),
  );
  return { folder, files: files.toSorted() };
}

/** Replaces the words in braces. */
function filled(text: string, name: string): string {
  const words: Readonly<Record<string, string>> = {
    name,
    Name: name.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase()),
    ENV: name.replaceAll('-', '_').toUpperCase(),
    version: VERSION,
  };
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? '');
}
