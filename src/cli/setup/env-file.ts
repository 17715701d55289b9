import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { errorCode } from '../../platform/error-code.ts';
import { OperatorError } from '../../platform/operator-error.ts';

/** Settings to write, by name. */
export type NewSettings = Readonly<Record<string, string>>;

/**
 * Adds settings to the file `.env`, and creates the file if it is missing. Replaces a line `NAME=` without a value, and
 * appends the others. Only the owner may read the file afterwards, because it holds secrets. A crash leaves the former
 * file.
 */
export async function addToEnvFile(path: string, added: NewSettings): Promise<void> {
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  });
  const fresh = `${path}.new`;
  try {
    await writeFile(fresh, withSettings(before, added), { mode: 0o600, flush: true });
    await chmod(fresh, 0o600);
    await rename(fresh, path);
  } catch (error) {
    throw new OperatorError(
      `${path} cannot be written (${errorCode(error) ?? String(error)}). ` +
        `Set these variables yourself: ${Object.keys(added).join(', ')}.`,
    );
  }
}

function withSettings(text: string, added: NewSettings): string {
  let result = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  for (const [name, value] of Object.entries(added)) {
    const line = `${name}=${quoted(value)}`;
    const empty = new RegExp(`^${name}=[ \\t]*$`, 'm');
    result = empty.test(result) ? result.replace(empty, () => line) : `${result}${line}\n`;
  }
  return result;
}

/** Quotes a value that Node would otherwise cut at a `#` or a space. */
const quoted = (value: string): string => (/^[\w./:@+=?&%-]+$/.test(value) ? value : `'${value}'`);
