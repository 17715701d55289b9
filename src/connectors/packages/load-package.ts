import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject, parseJson } from '../../kernel/json.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { mistakesIn } from './check-package.ts';
import type { PackageName } from '../interface/definition.ts';
import { offerDoor } from './offer-door.ts';
import type { ConnectorPackage } from './package.ts';
import { runAs } from './stray-errors.ts';

/** A package. `given` is its name in PAYGRAPH_CONNECTORS. */
export type LoadedPackage = {
  readonly given: string;
  readonly name: PackageName;
  readonly content: ConnectorPackage;
};

/** A package that takes longer to load never answers. */
const LOAD_MAX_MS = 30_000;

/**
 * Loads a package that PAYGRAPH_CONNECTORS names, and checks what it exports. A package is found where Paygraph's own packages
 * are. A name that begins with a dot or a slash is the path of a file.
 *
 * Throws an OperatorError that lists every mistake.
 */
export async function loadPackage(given: string): Promise<LoadedPackage> {
  offerDoor();
  const specifier = /^[./]/.test(given) ? pathToFileURL(resolve(given)).href : given;
  const loaded = await inTime(runAs(given, () => import(specifier))).catch((error: unknown) => {
    throw new OperatorError(
      `PAYGRAPH_CONNECTORS names ${given}, which cannot be loaded: ${reasonOf(error)}\n` +
        'Install the package in the folder in which Paygraph is installed, or remove its name.',
    );
  });
  return usable(given, () => {
    const content = contentOf(loaded);
    const mistakes = mistakesIn(content);
    if (mistakes.length > 0)
      throw new OperatorError(
        [`PAYGRAPH_CONNECTORS names ${given}, which Paygraph cannot use:`, ...mistakes].join('\n  '),
      );
    return { given, name: nameOf(specifier, given), content: content as ConnectorPackage };
  });
}

/** Reads a package. Its code may throw, for example in a getter. Throws an OperatorError that names the package. */
export function usable<Value>(given: string, read: () => Value): Value {
  try {
    return runAs(given, read);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `PAYGRAPH_CONNECTORS names ${given}, which Paygraph cannot use: ${reasonOf(error)}`,
    );
  }
}

/** Returns the default export. Compilers to CommonJS put it into one of their own. */
function contentOf(loaded: unknown): unknown {
  const content = isObject(loaded) ? loaded['default'] : undefined;
  return isObject(content) && content['__esModule'] === true ? content['default'] : content;
}

async function inTime(loading: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('It did not load in 30 seconds.')), LOAD_MAX_MS);
  });
  return Promise.race([loading, late]).finally(() => clearTimeout(timer));
}

/** Returns the first line of the message. Node puts the place of a syntax error in front of the stack. */
function reasonOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const [place = ''] = error instanceof SyntaxError ? (error.stack ?? '').split('\n') : [];
  return /:\d+$/.test(place) ? `${line} (${place})` : line;
}

/** Reads the name and the version in the package's own `package.json`. */
function nameOf(specifier: string, given: string): PackageName {
  const path = findPackageJSON(specifier, import.meta.url);
  const read = path === undefined ? null : parseJson(readFileSync(path, 'utf8'));
  const { name, version } = isObject(read) ? read : {};
  return {
    name: typeof name === 'string' ? name : given,
    version: typeof version === 'string' ? version : '0.0.0',
  };
}
