import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { query } from '../support/database.ts';

/** Returns every row of every table as text. Bytes appear as the text that they hold. */
export async function dumpDatabase(url: string): Promise<string> {
  const tables = await query<{ name: string }>(
    url,
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const dumps = tables.map(async ({ name }) => {
    const rows = await query<{ row: string }>(url, `SELECT row_to_json(t)::text AS row FROM ${name} t`);
    return rows.map(({ row }) => `${name} ${row.replace(BYTES, textOf)}`).join('\n');
  });
  return (await Promise.all(dumps)).join('\n');
}

/** The form of bytes in JSON. */
const BYTES = /\\\\x((?:[0-9a-f]{2})+)/g;

const textOf = (_: string, digits: string): string => Buffer.from(digits, 'hex').toString();

/** Returns the text of every file. */
export async function dumpFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join(
    '\n',
  );
}
