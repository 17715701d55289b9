import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiffTarget } from '@prisma/schema-engine-wasm';
import { OperatorError } from '../operator-error.ts';
import { withEngine } from './engine.ts';
import { LOCK_FILE, LOCK_TEXT, migrationList, MIGRATIONS_FOLDER, readModels } from './files.ts';

/** What to write: `name` in lower-case words joined by underscores, made at `now`. */
export type NewMigration = { readonly name: string; readonly now: Date; readonly folder?: string };

/**
 * Writes a migration that brings what the existing migrations make to what the models say, and answers the path of its
 * script. Applies nothing; needs a server at `url` on which it may create and drop a scratch database. When the models
 * ask for nothing new the script is a comment: the place for what is written by hand.
 */
export async function writeMigration(
  url: string,
  { name, now, folder = MIGRATIONS_FOLDER }: NewMigration,
): Promise<string> {
  if (!/^[a-z][a-z0-9_]{0,60}$/.test(name)) {
    throw new OperatorError(
      'Name the migration in lower-case words joined by underscores, for example add_gift_cards.',
    );
  }
  await mkdir(folder, { recursive: true });
  const models: DiffTarget = { tag: 'schemaDatamodel', files: [...(await readModels())] };
  const script = await difference(url, { tag: 'migrations', ...(await migrationList(folder)) }, models);
  const time = now.toISOString().replace(/\D/g, '').slice(0, 14);
  const path = join(folder, `${time}_${name}`, 'migration.sql');
  await mkdir(join(path, '..'));
  await writeFile(path, script);
  await writeFile(join(folder, LOCK_FILE), LOCK_TEXT);
  return path;
}

/** The SQL that brings one schema to another, as Prisma's engine sees them; it sees no CHECK, trigger or partial index. */
export async function difference(url: string, from: DiffTarget, to: DiffTarget): Promise<string> {
  const filters = { externalTables: [], externalEnums: [] };
  const { stdout } = await withEngine(url, (engine) =>
    engine.diff({ from, to, script: true, exitCode: true, filters }),
  );
  return stdout ?? '';
}
