import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SEALED_COLUMNS } from '../../src/platform/vault/sealed-columns.ts';
import { paygraph, type Ended, type Running } from '../support/command.ts';
import { onServer, query } from '../support/database.ts';
import { local, MASTER_KEYS, startVaultHarness, type Stored, type VaultHarness } from './vault-harness.ts';

const MERCHANTS = ['acme', 'rival'];
const EACH = 10;
const VALUES = MERCHANTS.length * EACH * SEALED_COLUMNS.length;

let harness: VaultHarness;
let folder: string;
let values: readonly Stored[];
beforeEach(async () => {
  harness = await startVaultHarness();
  folder = await mkdtemp(join(tmpdir(), 'paygraph-rotate-'));
  values = await harness.fill(harness.vault(local(0), 60_000), MERCHANTS, EACH);
  for (const { table, column } of SEALED_COLUMNS) {
    await onServer(harness.url, COUNT.replaceAll('THE_TABLE', table).replaceAll('THE_COLUMN', column));
  }
});
afterEach(() => Promise.all([harness.stop(), rm(folder, { recursive: true })]));

/** Counts the replacements of each value. */
const COUNT = `
  CREATE TABLE IF NOT EXISTS counted (place text, id uuid);
  CREATE FUNCTION "count_THE_TABLE_THE_COLUMN"() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN INSERT INTO counted VALUES ('THE_TABLE.THE_COLUMN', NEW.id); RETURN NULL; END $$;
  CREATE TRIGGER "counts_THE_COLUMN" AFTER UPDATE OF "THE_COLUMN" ON "THE_TABLE"
    FOR EACH ROW EXECUTE FUNCTION "count_THE_TABLE_THE_COLUMN"()`;

/** Delays each replacement, so that a busy machine kills the process before the column is done. */
const slow = (place: string): string => {
  const [table = '', column = ''] = place.split('.');
  return `
    CREATE OR REPLACE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(0.2); RETURN NEW; END $$;
    CREATE TRIGGER delays BEFORE UPDATE OF "${column}" ON "${table}" FOR EACH ROW EXECUTE FUNCTION delay()`;
};

const text = (index: number): string => (MASTER_KEYS[index] ?? Buffer.alloc(0)).toString('base64');

const start = (failpoints = '', ...args: readonly string[]): Running =>
  paygraph(['rotate-keys', '--wait', '0', '--batch', '7', ...args], {
    DATABASE_URL: harness.url,
    PAYGRAPH_DATA_DIR: folder,
    PAYGRAPH_MASTER_KEY: text(1),
    PAYGRAPH_MASTER_KEY_PREVIOUS: text(0),
    PAYGRAPH_FAILPOINTS: failpoints,
  });

/**
 * Checks a rotation. Everything opens with the new master key alone. Each value was sealed anew once. One version is
 * new.
 */
async function expectRotatedOnce({ code, stdout, stderr }: Ended): Promise<void> {
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Done: ');
  const id = await local(1).currentKeyId();
  expect(await harness.dataKeys()).toEqual(
    MERCHANTS.flatMap((merchant) => [`${merchant} data 1 ${id} retired`, `${merchant} data 2 ${id}`]),
  );
  const vault = harness.vault(local(1), 60_000);
  for (const { context, clear } of values)
    expect(await vault.open(context, await harness.sealedAt(context))).toBe(clear);
  const [counted] = await query<{ all: number; different: number }>(
    harness.url,
    'SELECT count(*)::int AS all, count(DISTINCT (place, id))::int AS different FROM counted',
  );
  expect(counted).toEqual({ all: VALUES, different: VALUES });
  const facts = `SELECT name FROM installation_fact WHERE name = 'key_rotation'`;
  expect(await query(harness.url, facts)).toEqual([]);
}

test('a rotation that is killed at each of its steps in turn continues, and does nothing twice', async () => {
  const steps = ['begun', 'rewrapped', 'renewed', 'batch', 'resealed', 'retired'];
  for (const step of steps) {
    const { code, stdout } = await start(`rotation.${step}=kill`).ended;
    expect([step, code]).toEqual([step, null]);
    expect(stdout).toContain(step === 'begun' ? ' starts.' : ' continues.');
  }

  await expectRotatedOnce(await start().ended);
});

test('a rotation that is killed in the middle of a column, again and again, continues', async () => {
  const places = ['payment_service.sealed_fields', 'operation.sealed_card', 'webhook_secret.sealed'];
  for (const place of places) await onServer(harness.url, slow(place));
  for (const place of places) {
    const running = start('', '--batch', '2');
    await running.printed(place);
    const { code, stdout } = await running.end('SIGKILL');
    expect([place, code, stdout.includes('Done')]).toEqual([place, null, false]);
  }

  const end = await start().ended;

  await expectRotatedOnce(end);
});

test('the command rehearses, and refuses senseless options', async () => {
  const before = await harness.dump();
  const [rehearsed, batch, wait] = await Promise.all(
    [['--dry-run'], ['--batch', '0'], ['--wait', 'long']].map((args) => start('', ...args).ended),
  );

  expect(rehearsed?.code).toBe(0);
  expect(rehearsed?.stdout).toContain(
    `Nothing was changed. A rotation would give: 2 data keys wrapped again, 2 created, ${VALUES} values sealed again, 2 data keys retired.`,
  );
  expect(batch?.stderr).toBe('--batch: must be a whole number from 1 to 1000.\n');
  expect(wait?.stderr).toBe('--wait: must be a whole number from 0 to 86400.\n');
  expect([batch?.code, wait?.code]).toEqual([2, 2]);
  expect(await harness.dump()).toBe(before);
});

test('the command ends with an error when a value does not open', async () => {
  const [spoilt] = values;
  if (!spoilt) throw new Error('There are no values.');
  await harness.put(spoilt.context, 'v1.nothing');

  const { code, stderr } = await start().ended;

  expect(code).toBe(1);
  expect(stderr).toContain(`payment_service.sealed_fields ${spoilt.context.rowId}`);
});
