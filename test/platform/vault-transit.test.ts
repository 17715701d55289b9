import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/platform/process/config.ts';
import { systemIds } from '../../src/platform/ids.ts';
import type { KeyProvider } from '../../src/platform/vault/master-key/key-provider.ts';
import { openKeyProvider } from '../../src/platform/vault/master-key/open-keys.ts';
import { startTransitServer, type TransitServer } from '../support/transit-server.ts';
import { MASTER_KEYS, startVaultHarness, type VaultHarness } from './vault-harness.ts';

const KEY = 'transit/paygraph';
const MASTER_KEY = (MASTER_KEYS[0] ?? Buffer.alloc(0)).toString('base64');
const context = {
  ...({ table: 'webhook_secret', column: 'sealed' } as const),
  rowId: '01900000-0000-7000-8000-000000000000',
};

let harness: VaultHarness;
let service: TransitServer;
let folder: string;
beforeAll(async () => {
  harness = await startVaultHarness();
  folder = await mkdtemp(join(tmpdir(), 'vault-transit-'));
});
afterAll(() => Promise.all([harness.stop(), rm(folder, { recursive: true })]));
beforeEach(async () => {
  service = await startTransitServer(KEY, 'secret/engine/other');
});
afterEach(() => service.close());

const provider = (settings: Readonly<Record<string, string>> = {}): Promise<KeyProvider> =>
  openKeyProvider(
    parseConfig({
      PAYGRAPH_DATA_DIR: folder,
      PAYGRAPH_KEY_PROVIDER: 'transit',
      PAYGRAPH_TRANSIT_URL: service.url,
      PAYGRAPH_TRANSIT_TOKEN: service.token,
      ...settings,
    }),
    systemIds,
  );

describe('a key service', () => {
  test('wraps and unwraps, and sees each data key once', async () => {
    const owner = { ...context, merchantAccountId: 'wrapped' };
    const sealed = await harness.vault(await provider()).seal(owner, 'clear');
    const vault = harness.vault(await provider());

    for (let times = 0; times < 10; times += 1) expect(await vault.open(owner, sealed)).toBe('clear');

    expect(service.requests).toEqual([
      ['/v1/transit/encrypt/paygraph', 200],
      ['/v1/transit/decrypt/paygraph', 200],
      ['/v1/transit/decrypt/paygraph', 200],
    ]);
    expect(await harness.dataKeys()).toContain('wrapped data 1 transit:transit/paygraph:v1');
  });

  test('is called by the mount and the name of the key', async () => {
    const keys = await provider({ PAYGRAPH_TRANSIT_KEY: 'secret/engine/other' });

    expect(await keys.currentKeyId()).toBe('transit:secret/engine/other:v1');
    expect(service.requests).toEqual([['/v1/secret/engine/encrypt/other', 200]]);
  });

  test('does not unwrap for another place, nor a changed text', async () => {
    const keys = await provider();
    const dataKey = systemIds.random(32);
    const { keyId, wrapped } = await keys.wrap(dataKey, ['data_key', 'acme', 'k1']);
    const changed = `${wrapped.slice(0, 20)}${wrapped[20] === 'A' ? 'B' : 'A'}${wrapped.slice(21)}`;

    expect(await keys.unwrap({ keyId, wrapped }, ['data_key', 'acme', 'k1'])).toEqual(dataKey);
    for (const place of [
      ['data_key', 'rival', 'k1'],
      ['data_key', 'acmek', '1'],
    ])
      await expect(keys.unwrap({ keyId, wrapped }, place)).rejects.toThrow('belongs to another');
    await expect(keys.unwrap({ keyId, wrapped: changed }, ['data_key', 'acme', 'k1'])).rejects.toThrow(
      'was changed',
    );
  });

  test('that fails is reported by status only, and called again at the next use', async () => {
    const vault = harness.vault(await provider());
    const owner = { ...context, merchantAccountId: 'failing' };
    service.fail(503);
    const refused = await vault.seal(owner, 'clear').catch((error: unknown) => error);
    service.fail(null);

    expect(String(refused)).toBe(
      'Error: The key service refused to encrypt with status 503. See PAYGRAPH_TRANSIT_TOKEN and PAYGRAPH_TRANSIT_KEY.',
    );
    expect(await vault.open(owner, await vault.seal(owner, 'clear'))).toBe('clear');
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['does not take the token', { PAYGRAPH_TRANSIT_TOKEN: 's.other' }, 'status 403'],
    ['has no such key', { PAYGRAPH_TRANSIT_KEY: 'transit/none' }, 'status 404'],
    [
      'is not there',
      { PAYGRAPH_TRANSIT_URL: 'http://127.0.0.1:9' },
      'did not answer (connection_refused). See PAYGRAPH_TRANSIT_URL.',
    ],
  ])('that %s is reported', async (_what, settings, sentence) => {
    const requested = (await provider(settings)).currentKeyId();

    await expect(requested).rejects.toThrow(sentence);
  });

  test('replaces the master key by a rotation, and the reverse', async () => {
    const merchant = 'moved';
    const sealing = await provider({ PAYGRAPH_KEY_PROVIDER: 'local', PAYGRAPH_MASTER_KEY: MASTER_KEY });
    await harness.db.query({ name: null, text: 'DELETE FROM data_key', values: [] });
    const stored = await harness.fill(harness.vault(sealing), [merchant], 2);

    await harness.rotate(await provider({ PAYGRAPH_MASTER_KEY: MASTER_KEY }));
    expect((await harness.dataKeys()).join()).not.toContain('local-');
    const alone = harness.vault(await provider());
    for (const { context: place, clear } of stored)
      expect(await alone.open(place, await harness.sealedAt(place))).toBe(clear);

    service.rotate(KEY);
    await harness.rotate(await provider());
    expect(await harness.dataKeys()).toEqual([
      `${merchant} data 1 transit:${KEY}:v2 retired`,
      `${merchant} data 2 transit:${KEY}:v2 retired`,
      `${merchant} data 3 transit:${KEY}:v2`,
    ]);

    await harness.rotate(sealing);
    expect((await harness.dataKeys()).join()).not.toContain('transit');
    const local = harness.vault(
      await openKeyProvider(
        parseConfig({ PAYGRAPH_DATA_DIR: folder, PAYGRAPH_MASTER_KEY: MASTER_KEY }),
        systemIds,
      ),
    );
    for (const { context: place, clear } of stored)
      expect(await local.open(place, await harness.sealedAt(place))).toBe(clear);
  });
});
