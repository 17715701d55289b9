import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SEALED_COLUMNS } from '../../src/platform/vault/sealed-columns.ts';
import { createRandom } from '../simulation/random.ts';
import { local, startVaultHarness, type Stored, type VaultHarness } from './vault-harness.ts';
import { PATIENCE } from '../support/patience.ts';

const MERCHANTS = ['acme', 'rival'];
/** Values of each merchant account in each column. */
const EACH = 5;
const VALUES = MERCHANTS.length * EACH * SEALED_COLUMNS.length;

let harness: VaultHarness;
let values: readonly Stored[];
beforeEach(async () => {
  harness = await startVaultHarness();
  values = await harness.fill(harness.vault(local(0)), MERCHANTS, EACH);
  for (const merchant of MERCHANTS) await harness.vault(local(0)).fingerprint(merchant, 'x');
});
afterEach(() => harness.stop());

/** Counts the original values that open with these keys. */
async function openable(keys: ReturnType<typeof local>, all = values): Promise<number> {
  const vault = harness.vault(keys, 60_000);
  let opened = 0;
  for (const { context, clear } of all) {
    const text = await vault.open(context, await harness.sealedAt(context)).catch(() => null);
    if (text === clear) opened += 1;
  }
  return opened;
}

/** Ten times the time of a writer from reading the version to storing, because a busy machine stalls. */
const WAIT_MS = 5_000 * PATIENCE;

test('servers that write all the time lose nothing, and none of their writes is undone', async () => {
  const random = createRandom(7);
  const written = new Map(values.map(({ context, clear }) => [context, clear]));
  const places = [...written.keys()];
  let writing = true;
  let writes = 0;
  const writer = async (mine: typeof places): Promise<void> => {
    // The vault has the master keys of both rotations. It reads the newest version every 300 ms, and takes up to 150
    // ms from sealing to storing.
    const vault = harness.vault(local(1, 2, 0), 300);
    while (writing) {
      const context = random.pick(mine);
      const clear = `written ${++writes}`;
      const sealed = await vault.seal(context, clear);
      await delay(random.int(0, 150));
      await harness.put(context, sealed);
      written.set(context, clear);
    }
  };
  // Each row has one writer, so that the last write is known.
  const writers = [0, 1, 2, 3].map((mine) => writer(places.filter((_, index) => index % 4 === mine)));

  const rotateTwice = async () => [
    await harness.rotate(local(1, 0), { waitMs: WAIT_MS, batch: 3 }),
    await harness.rotate(local(2, 1, 0), { waitMs: WAIT_MS, batch: 3 }),
  ];
  const rotated = await rotateTwice().finally(() => {
    writing = false;
  });
  await Promise.all(writers);

  for (const { unreadable, left } of rotated)
    expect({ unreadable, left }).toEqual({ unreadable: [], left: 0 });
  expect(writes).toBeGreaterThan(40);
  const all = [...written].map(([context, clear]) => ({ context, clear }));
  expect(await openable(local(2), all)).toBe(VALUES);
  expect((await harness.dataKeys()).filter((line) => line.endsWith('retired'))).toHaveLength(4);
});
