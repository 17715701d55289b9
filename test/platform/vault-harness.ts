import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '../../src/platform/clock.ts';
import { openDb, type Db } from '../../src/platform/database/db.ts';
import { systemIds } from '../../src/platform/ids.ts';
import { createDataKey } from '../../src/platform/vault/data-keys.ts';
import type { KeyProvider } from '../../src/platform/vault/master-key/key-provider.ts';
import { localKeyProvider } from '../../src/platform/vault/master-key/local-keys.ts';
import { rotateKeys, type Rotated } from '../../src/platform/vault/rotation/rotate.ts';
import type { Rotation } from '../../src/platform/vault/rotation/rotation.ts';
import {
  SEALED_COLUMNS,
  type SealContext,
  type SealedColumn,
} from '../../src/platform/vault/sealed-columns.ts';
import { findCurrentDataKey, insertDataKey } from '../../src/platform/vault/store.ts';
import { createVault, type Vault } from '../../src/platform/vault/vault.ts';
import { createTestDatabase, onServer, query } from '../support/database.ts';
import { masterKeyOf } from '../support/master-key.ts';

/** Master keys, in their order of succession. */
export const MASTER_KEYS = [1, 2, 3].map(masterKeyOf);

/** Creates a provider of local keys by their numbers. The first key wraps. */
export const local = (...numbers: readonly [number, ...number[]]): KeyProvider => {
  const [first, ...others] = numbers.map((number) => MASTER_KEYS[number] ?? randomBytes(32));
  return localKeyProvider({ masterKeys: [first ?? randomBytes(32), ...others], ids: systemIds });
};

export type Stored = { readonly context: SealContext; readonly clear: string };

/** Counts the values that open with these keys. */
export async function countOpenable(
  harness: VaultHarness,
  keys: KeyProvider,
  values: readonly Stored[],
): Promise<number> {
  const vault = harness.vault(keys, 60_000);
  let opened = 0;
  for (const { context, clear } of values) {
    const text = await vault.open(context, await harness.sealedAt(context)).catch(() => null);
    if (text === clear) opened += 1;
  }
  return opened;
}

/** A database whose sealed columns can be written without the rest of the row. */
export type VaultHarness = {
  readonly url: string;
  readonly db: Db;
  vault(keys: KeyProvider, currentForMs?: number): Vault;
  /** Seals so many values in each sealed column for each merchant account. */
  fill(vault: Vault, merchants: readonly string[], each: number): Promise<readonly Stored[]>;
  put(context: SealContext, sealed: string): Promise<void>;
  sealedAt(context: SealContext): Promise<string>;
  /** Adds a version of a merchant account's data key and changes nothing else. */
  renew(keys: KeyProvider, merchantAccountId: string): Promise<void>;
  /** Rotates, by default without a wait for servers. */
  rotate(
    keys: KeyProvider,
    change?: Partial<Rotation>,
  ): Promise<Rotated & { readonly lines: readonly string[] }>;
  /** Lists merchant account, purpose, version, provider's key and retirement, in that order. */
  dataKeys(): Promise<readonly string[]>;
  /** Reads every row of data keys, facts and sealed columns, as text. */
  dump(): Promise<string>;
  stop(): Promise<void>;
};

export async function startVaultHarness(): Promise<VaultHarness> {
  const database = await createTestDatabase();
  const { url } = database;
  for (const table of tables()) await onServer(url, RELAX.replaceAll('THE_TABLE', table));
  const db = openDb({ url, connectionMax: 16, applicationName: 'test' });
  const vault: VaultHarness['vault'] = (keys, currentForMs = 1) =>
    createVault({ db, keys, ids: systemIds, clock: systemClock, currentForMs });
  const put = async ({ table, column, merchantAccountId, rowId }: SealContext, sealed: string) => {
    const text = `INSERT INTO "${table}" (merchant_account_id, id, "${column}") VALUES ($1, $2, $3)
      ON CONFLICT (merchant_account_id, id) DO UPDATE SET "${column}" = excluded."${column}"`;
    await db.query({ name: null, text, values: [merchantAccountId, rowId, sealed] });
  };
  const harness: VaultHarness = {
    url,
    db,
    vault,
    put,
    fill: async (filling, merchants, each) => {
      const made = merchants.flatMap((merchantAccountId) =>
        SEALED_COLUMNS.flatMap((place) =>
          Array.from({ length: each }, () => stored(place, merchantAccountId)),
        ),
      );
      for (const { context, clear } of made) await put(context, await filling.seal(context, clear));
      return made;
    },
    sealedAt: async ({ table, column, merchantAccountId, rowId }) => {
      const text = `SELECT "${column}" AS sealed FROM "${table}" WHERE merchant_account_id = $1 AND id = $2`;
      const rows = await db.query<{ sealed: string }>({
        ...{ name: null, text },
        values: [merchantAccountId, rowId],
      });
      return rows[0]?.sealed ?? '';
    },
    renew: async (keys, merchantAccountId) => {
      const owner = { merchantAccountId, purpose: 'data' } as const;
      const version = ((await findCurrentDataKey(db, owner))?.version ?? 0) + 1;
      const made = await createDataKey({ keys, ids: systemIds }, { ...owner, version });
      await insertDataKey(db, made, { rotationId: null, createdAt: new Date() });
    },
    rotate: async (keys, change = {}) => {
      const lines: string[] = [];
      const rotated = await rotateKeys({
        ...{ db, keys, ids: systemIds, clock: systemClock, dryRun: false, batch: 7, waitMs: 0 },
        say: (line) => void lines.push(line),
        ...change,
      });
      return { ...rotated, lines };
    },
    dataKeys: async () => {
      const rows = await query<{ line: string }>(
        url,
        `SELECT concat_ws(' ', merchant_account_id, purpose, version, key_encryption_key,
           CASE WHEN retired_at IS NOT NULL THEN 'retired' END) AS line
         FROM data_key ORDER BY merchant_account_id, purpose, version`,
      );
      return rows.map(({ line }) => line);
    },
    dump: async () => {
      const texts = ['data_key', 'installation_fact', ...tables()].map((table) =>
        query<{ row: string }>(url, `SELECT to_jsonb(t)::text AS row FROM "${table}" t ORDER BY 1`),
      );
      return (await Promise.all(texts)).flatMap((rows) => rows.map(({ row }) => row)).join('\n');
    },
    stop: async () => {
      await db.close();
      await database.drop();
    },
  };
  return harness;
}

const stored = (place: SealedColumn, merchantAccountId: string): Stored => ({
  context: { ...place, merchantAccountId, rowId: randomUUID() },
  clear: `clear ${randomBytes(12).toString('hex')}`,
});

const tables = (): readonly string[] => [...new Set(SEALED_COLUMNS.map(({ table }) => table))];

/** Removes everything from a table except its primary key. */
const RELAX = `DO $$ DECLARE each record; BEGIN
  FOR each IN SELECT conrelid::regclass AS owner, conname FROM pg_constraint
    WHERE conrelid = '"THE_TABLE"'::regclass AND contype IN ('c', 'f') LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.owner, each.conname);
  END LOOP;
  FOR each IN SELECT indexrelid::regclass AS name FROM pg_index
    WHERE indrelid = '"THE_TABLE"'::regclass AND indisunique AND NOT indisprimary LOOP
    EXECUTE format('DROP INDEX %s CASCADE', each.name);
  END LOOP;
  FOR each IN SELECT attname FROM pg_attribute WHERE attrelid = '"THE_TABLE"'::regclass AND attnum > 0
    AND NOT attisdropped AND attnotnull AND attname NOT IN ('merchant_account_id', 'id') LOOP
    EXECUTE format('ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL', '"THE_TABLE"', each.attname);
  END LOOP;
  -- The audit log has no entry of an incomplete row.
  ALTER TABLE "THE_TABLE" DISABLE TRIGGER USER;
END $$`;
