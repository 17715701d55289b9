import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiffTarget } from '@prisma/schema-engine-wasm';
import { OperatorError } from '../operator-error.ts';
import { withEngine } from './engine.ts';
import { LOCK_FILE, LOCK_TEXT, migrationList, MIGRATIONS_FOLDER, readModels } from './files.ts';

/** A migration to write. `name` has lower-case words joined by underscores. `now` is the time of creation. */
export type NewMigration = { readonly name: string; readonly now: Date; readonly folder?: string };

/**
 * Writes a migration from the existing migrations to the current models, and returns the path of its script.
 *
 * Applies nothing. The server at `url` must allow to create and drop a scratch database. Without a change of
 * the models, the script holds only a comment, for SQL written by hand.
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

/**
 * Returns the SQL between two schemas, computed by Prisma's engine. The engine ignores CHECK constraints,
 * triggers and partial indexes.
 */
export async function difference(url: string, from: DiffTarget, to: DiffTarget): Promise<string> {
  const filters = { externalTables: [], externalEnums: [] };
  const { stdout } = await withEngine(url, (engine) =>
    engine.diff({ from, to, script: true, exitCode: true, filters }),
  );
  return stdout ?? '';
}
