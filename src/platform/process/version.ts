import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in package.json, two folders above this file in the repository and in the built package. */
export const VERSION: string = readVersion();

function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}
