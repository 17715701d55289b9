import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/platform/clock.ts';
import { parseConfig } from '../../src/platform/process/config.ts';
import { openDb, type Db } from '../../src/platform/database/db.ts';
import { systemIds } from '../../src/platform/ids.ts';
import type { KeyProvider } from '../../src/platform/vault/master-key/key-provider.ts';
import { localKeyProvider } from '../../src/platform/vault/master-key/local-keys.ts';
import { readMasterKeys } from '../../src/platform/vault/master-key/master-keys.ts';
import { createVault, type SealContext, type Vault } from '../../src/platform/vault/vault.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { masterKeyOf } from '../support/master-key.ts';

const CLEAR = '{"api_key":"sk_live_ünïcode 🔑"}';
const context: SealContext = {
  merchantAccountId: 'acme',
  table: 'payment_service',
  column: 'sealed_fields',
  rowId: 'r1',
};
const masterKey = masterKeyOf(7);
const keys = localKeyProvider({ masterKeys: [masterKey], ids: systemIds });

let database: TestDatabase;
let db: Db;
const open = (provider: KeyProvider = keys): Vault =>
  createVault({ db, keys: provider, ids: systemIds, clock: systemClock });

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDb({ url: database.url, connectionMax: 8, applicationName: 'test' });
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('sealing', () => {
  test.each(['', 'a', CLEAR, 'x'.repeat(100_000)])('opens its own sealed texts (%#)', async (clear) => {
    const vault = open();

    const sealed = await vault.seal(context, clear);

    expect(await vault.open(context, sealed)).toBe(clear);
    expect(await open().open(context, sealed)).toBe(clear);
    expect(sealed).toMatch(/^v1\.[0-9a-f-]{36}\.[\w-]{16}\.[\w-]*\.[\w-]{22}$/);
  });

  test('seals the same text differently each time', async () => {
    const vault = open();

    const sealed = await Promise.all(Array.from({ length: 200 }, () => vault.seal(context, CLEAR)));

    expect(new Set(sealed.map((text) => text.split('.')[2])).size).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ['row', { rowId: 'r2' }],
    ['column', { column: 'other' }],
    ['table', { table: 'operation' }],
    ['border between table and column', { table: 'payment_services', column: 'ealed_fields' }],
  ])('does not open in another %s', async (_place, change) => {
    const vault = open();
    const sealed = await vault.seal(context, CLEAR);

    await expect(vault.open({ ...context, ...change }, sealed)).rejects.toThrow(
      'was changed or belongs elsewhere',
    );
  });

  test('does not open for another merchant account, with or without a separate key', async () => {
    const vault = open();
    const sealed = await vault.seal(context, CLEAR);
    await vault.seal({ ...context, merchantAccountId: 'rival' }, CLEAR);

    for (const merchantAccountId of ['rival', 'nobody']) {
      await expect(vault.open({ ...context, merchantAccountId }, sealed)).rejects.toThrow(
        'names a data key that its merchant account does not have',
      );
    }
  });

  test('opens none of 10 000 texts with one flipped bit', async () => {
    const vault = open();
    const sealed = await vault.seal(context, CLEAR);
    let opened = 0;

    for (let round = 0; round < 10_000; round++) {
      const bytes = Buffer.from(sealed, 'latin1');
      const bit = round % (bytes.length * 8);
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      await vault.open(context, bytes.toString('latin1')).then(
        () => opened++,
        () => undefined,
      );
    }

    expect(opened).toBe(0);
  });

  test.each([
    ['v2.018f0000-0000-7000-8000-000000000000.AAAA.AAAA.AAAA', 'a version that this program does not know'],
    [
      'v1.018f0000-0000-7000-8000-000000000000.AAAA.AAAA.AAAA',
      'names a data key that its merchant account does not have',
    ],
    ['v1.not-a-uuid.AAAA.AAAA.AAAA', 'names a data key that its merchant account does not have'],
    ['', 'a version that this program does not know'],
  ])('names the unknown version or key (%#)', async (sealed, message) => {
    await expect(open().open(context, sealed)).rejects.toThrow(message);
  });

  test('does not use the key of fingerprints for sealed values', async () => {
    const vault = open();
    await vault.fingerprint('acme', 'x');
    const sealed = await vault.seal(context, CLEAR);
    const other = await db.prisma.dataKey.findFirstOrThrow({
      where: { merchantAccountId: 'acme', purpose: 'fingerprint' },
    });

    const swapped = sealed.replace(sealed.split('.')[1] ?? '', other.id);

    await expect(open().open(context, swapped)).rejects.toThrow('does not have');
  });
});

describe('fingerprints', () => {
  test('are the same for one merchant account and different between two', async () => {
    const first = await open().fingerprint('acme', '4111111111111111');

    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await open().fingerprint('acme', '4111111111111111')).toBe(first);
    expect(await open().fingerprint('acme', '4111111111111112')).not.toBe(first);
    expect(await open().fingerprint('rival', '4111111111111111')).not.toBe(first);
  });
});

describe('data keys', () => {
  test('are created once for each purpose, however many processes first use them at the same time', async () => {
    const vaults = Array.from({ length: 12 }, () => open());
    const fresh = { ...context, merchantAccountId: 'fresh' };

    const sealed = await Promise.all(vaults.map((vault) => vault.seal(fresh, CLEAR)));
    const prints = await Promise.all(vaults.map((vault) => vault.fingerprint('fresh', CLEAR)));

    const rows = await db.prisma.dataKey.findMany({
      where: { merchantAccountId: 'fresh' },
      orderBy: { purpose: 'asc' },
    });
    expect(rows.map(({ purpose }) => purpose)).toEqual(['data', 'fingerprint']);
    expect(new Set(sealed.map((text) => text.split('.')[1]))).toEqual(new Set([rows[0]?.id]));
    expect(new Set(prints).size).toBe(1);
    for (const text of sealed) expect(await open().open(fresh, text)).toBe(CLEAR);
  });

  test('are unwrapped once', async () => {
    let unwrapped = 0;
    const counting: KeyProvider = {
      ...keys,
      unwrap: (...given) => {
        unwrapped++;
        return keys.unwrap(...given);
      },
    };
    const vault = open(counting);

    const sealed = await Promise.all(Array.from({ length: 20 }, () => vault.seal(context, CLEAR)));
    await Promise.all(sealed.map((text) => vault.open(context, text)));

    expect(unwrapped).toBe(1);
  });

  test('a failed read is repeated', async () => {
    let fail = true;
    const flaky: KeyProvider = {
      ...keys,
      unwrap: (...given) => (fail ? Promise.reject(new Error('key service away')) : keys.unwrap(...given)),
    };
    const vault = open(flaky);

    await expect(vault.seal(context, CLEAR)).rejects.toThrow('key service away');
    fail = false;

    expect(await vault.open(context, await vault.seal(context, CLEAR))).toBe(CLEAR);
  });

  test('are refused under another master key, with both keys named', async () => {
    await open().seal(context, CLEAR);
    const other = localKeyProvider({ masterKeys: [Buffer.alloc(32, 8)], ids: systemIds });

    const opening = open(other).seal(context, CLEAR);

    await expect(opening).rejects.toThrow(await keys.currentKeyId());
    await expect(opening).rejects.toThrow(await other.currentKeyId());
  });

  test('cannot be moved to another merchant account in the database', async () => {
    await open().seal({ ...context, merchantAccountId: 'giver' }, CLEAR);
    await db.query({
      name: 'move_key',
      text: `INSERT INTO data_key (merchant_account_id, id, purpose, key_encryption_key, wrapped)
             SELECT 'taker', id, purpose, key_encryption_key, wrapped
             FROM data_key WHERE merchant_account_id = 'giver'`,
      values: [],
    });

    await expect(open().seal({ ...context, merchantAccountId: 'taker' }, CLEAR)).rejects.toThrow(
      'belongs to another merchant account',
    );
  });

  test('are kept wrapped only', async () => {
    const unwrapped: Buffer[] = [];
    const watching: KeyProvider = {
      ...keys,
      unwrap: async (...given) => {
        const clear = await keys.unwrap(...given);
        unwrapped.push(Buffer.from(clear));
        return clear;
      },
    };
    await open(watching).seal({ ...context, merchantAccountId: 'watched' }, CLEAR);

    const row = await db.prisma.dataKey.findFirstOrThrow({ where: { merchantAccountId: 'watched' } });

    expect(unwrapped.map(({ length }) => length)).toEqual([32]);
    for (const form of ['base64url', 'hex'] as const) {
      expect(JSON.stringify(row)).not.toContain(unwrapped[0]?.toString(form));
    }
    expect(row.keyEncryptionKey).toBe(await keys.currentKeyId());
  });
});

describe('the master key', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vault-test-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const read = (settings: Readonly<Record<string, string>>) =>
    readMasterKeys(parseConfig(settings), systemIds);

  test('is the configured one, followed by the former ones', async () => {
    const configured = {
      PAYGRAPH_MASTER_KEY: masterKey.toString('base64'),
      PAYGRAPH_MASTER_KEY_PREVIOUS: [8, 9].map((byte) => Buffer.alloc(32, byte).toString('base64')).join(','),
      PAYGRAPH_DATA_DIR: folder,
    };

    expect(await read(configured)).toEqual([masterKey, Buffer.alloc(32, 8), Buffer.alloc(32, 9)]);
    expect(await readdir(folder)).toEqual([]);
  });

  test('is created once in the sandbox, readable by its owner only, when several start at once', async () => {
    const settings = { PAYGRAPH_DATA_DIR: join(folder, 'new') };

    const made = await Promise.all(Array.from({ length: 20 }, () => read(settings)));

    const [first] = made;
    expect(first?.map(({ length }) => length)).toEqual([32]);
    for (const keys of made) expect(keys).toEqual(first);
    expect(await read(settings)).toEqual(first);
    expect(await readdir(join(folder, 'new'))).toEqual(['master.key']);
    const path = join(folder, 'new', 'master.key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect([Buffer.from(await readFile(path, 'utf8'), 'base64')]).toEqual(first);
  });

  test('is the first line of the file; the others are former ones', async () => {
    const lines = [1, 2].map((byte) => Buffer.alloc(32, byte));
    await writeFile(join(folder, 'master.key'), lines.map((key) => `${key.toString('base64')}\n`).join(''));

    expect(await read({ PAYGRAPH_DATA_DIR: folder })).toEqual(lines);
  });

  test.each(['half a k', '', `${Buffer.alloc(32, 1).toString('base64')}\nhalf a k`])(
    'is refused when the file has invalid content (%#)',
    async (text) => {
      await writeFile(join(folder, 'master.key'), text);

      await expect(read({ PAYGRAPH_DATA_DIR: folder })).rejects.toThrow('is not a master key');
    },
  );
});
