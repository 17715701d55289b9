import { readFileSync } from 'node:fs';
import { code, table, WRITTEN } from './table.ts';

/** A setting as `.env.example` describes it. */
export type Setting = { readonly name: string; readonly value: string; readonly description: string };

/** Reads the settings of `.env.example`. The comment above a setting describes that setting alone. */
export function readSettings(text = readFileSync('.env.example', 'utf8')): Setting[] {
  const settings: Setting[] = [];
  let description = '';
  let open = false;
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^(?:# )?([A-Z][A-Z_]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      settings.push({ name, value, description });
      description = '';
      open = false;
    } else if (line.startsWith('# ')) {
      description = open ? `${description} ${line.slice(2)}` : line.slice(2);
      open = true;
    } else open = false;
  }
  return settings;
}

/** Writes the page of settings. */
export const settingsPage = (): string => `${WRITTEN}

# Settings

All settings are environment variables, or lines of a file \`.env\`. An empty value counts as left out. \`.env.example\` lists
the settings with their defaults.

Without \`NODE_ENV=production\` Paygraph is a sandbox. In production Paygraph creates nothing by itself, and refuses parts
that only make sense in a sandbox.

${table(
  ['setting', 'default', 'meaning'],
  readSettings().map(({ name, value, description }) => [
    code(name),
    name === 'NODE_ENV' || value === '' ? '' : code(value),
    description,
  ]),
)}
`;
