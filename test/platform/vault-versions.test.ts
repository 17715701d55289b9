import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { SealContext } from '../../src/platform/vault/vault.ts';
import { local, startVaultHarness, type VaultHarness } from './vault-harness.ts';

let harness: VaultHarness;
beforeAll(async () => {
  harness = await startVaultHarness();
});
afterAll(() => harness.stop());

const place = (merchantAccountId: string): SealContext => ({
  ...({ table: 'webhook_secret', column: 'sealed' } as const),
  merchantAccountId,
  rowId: '01900000-0000-7000-8000-000000000000',
});

const keyOf = (sealed: string): string => sealed.split('.')[1] ?? '';

test('the newest version seals, and every version opens', async () => {
  const context = place('acme');
  const sealed: string[] = [];
  for (let version = 1; version <= 3; version += 1) {
    if (version > 1) await harness.renew(local(0), 'acme');
    sealed.push(await harness.vault(local(0)).seal(context, `version ${version}`));
  }

  expect(new Set(sealed.map(keyOf)).size).toBe(3);
  for (const [index, text] of sealed.entries())
    expect(await harness.vault(local(0)).open(context, text)).toBe(`version ${index + 1}`);
  expect(keyOf(await harness.vault(local(0)).seal(context, ''))).toBe(keyOf(sealed[2] ?? ''));
});

test('a running server seals with the new version after its next read, and not before', async () => {
  const context = place('running');
  const patient = harness.vault(local(0), 60_000);
  const eager = harness.vault(local(0), 200);
  const first = keyOf(await patient.seal(context, ''));
  expect(keyOf(await eager.seal(context, ''))).toBe(first);

  await harness.renew(local(0), 'running');
  await delay(250);

  expect(keyOf(await patient.seal(context, ''))).toBe(first);
  expect(keyOf(await eager.seal(context, ''))).not.toBe(first);
});

test('a retired version opens nothing, in a vault that has not opened it before', async () => {
  const context = place('retired');
  const sealed = await harness.vault(local(0)).seal(context, 'clear');
  await harness.rotate(local(0));

  await expect(harness.vault(local(0)).open(context, sealed)).rejects.toThrow('or that is retired');
});

test('a fingerprint stays the same after any rotation', async () => {
  const before = await harness.vault(local(0)).fingerprint('prints', '4111111111111111');

  await harness.rotate(local(1, 0));

  expect(await harness.vault(local(1)).fingerprint('prints', '4111111111111111')).toBe(before);
});

test('keys under several master keys work side by side; without the former one they are refused by name', async () => {
  const older = await harness.vault(local(1)).seal(place('side'), 'older');
  const both = harness.vault(local(2, 1));

  expect(await both.open(place('side'), older)).toBe('older');
  const newer = await both.seal(place('by-side'), 'newer');

  const only = harness.vault(local(2));
  expect(await only.open(place('by-side'), newer)).toBe('newer');
  await expect(only.open(place('side'), older)).rejects.toThrow(
    `wrapped by key ${await local(1).currentKeyId()}, but the current key is ${await local(2).currentKeyId()}`,
  );
});
