import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SEALED_COLUMNS } from '../../src/platform/vault/sealed-columns.ts';
import { countOpenable, local, startVaultHarness, type Stored, type VaultHarness } from './vault-harness.ts';

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
const openable = (keys: ReturnType<typeof local>): Promise<number> => countOpenable(harness, keys, values);

describe('a rotation', () => {
  test('creates a version each time, even under the same master key', async () => {
    await harness.rotate(local(0));
    const rotated = await harness.rotate(local(0));

    expect(rotated).toMatchObject({ rewrapped: 0, renewed: 2, resealed: VALUES, retired: 2 });
    expect((await harness.dataKeys()).filter((line) => !line.endsWith('retired'))).toHaveLength(4);
    expect(await openable(local(0))).toBe(VALUES);
  });

  test('waits for no lock: a locked row is sealed anew when it is free', async () => {
    const [locked] = values;
    if (!locked) throw new Error('There are no values.');
    const { table, merchantAccountId, rowId } = locked.context;
    const client = await harness.db.connect();
    await client.query('BEGIN');
    await client.query(`SELECT FROM "${table}" WHERE merchant_account_id = $1 AND id = $2 FOR UPDATE`, [
      merchantAccountId,
      rowId,
    ]);
    const rotating = harness.rotate(local(1, 0));
    await delay(400);
    await client.query('COMMIT');
    client.release();

    expect(await rotating).toMatchObject({ resealed: VALUES, left: 0, retired: 2 });
    expect(await openable(local(1))).toBe(VALUES);
  });

  test('is refused during another one', async () => {
    const both = await Promise.allSettled([harness.rotate(local(1, 0)), harness.rotate(local(1, 0))]);

    const refused = both.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refused).toEqual(['Error: Another rotation of keys is under way.']);
    expect(await openable(local(1))).toBe(VALUES);
    expect((await harness.dataKeys()).filter((line) => line.includes(' data '))).toHaveLength(4);
  });

  test('saves values that a stalled server has sealed with a retired version', async () => {
    const [late] = values;
    if (!late) throw new Error('There are no values.');
    const formerly = await harness.sealedAt(late.context);
    await harness.rotate(local(1, 0));
    await harness.put(late.context, formerly);
    expect(await openable(local(1))).toBe(VALUES - 1);

    await harness.rotate(local(1));

    expect(await openable(local(1))).toBe(VALUES);
  });
});
