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
  test('wraps all by the new master key, seals every column anew and retires the former versions', async () => {
    const rotated = await harness.rotate(local(1, 0));

    const id = await local(1).currentKeyId();
    expect(rotated).toMatchObject({ rewrapped: 4, renewed: 2, resealed: VALUES, retired: 2, left: 0 });
    expect(rotated.unreadable).toEqual([]);
    expect(await harness.dataKeys()).toEqual(
      MERCHANTS.flatMap((merchant) => [
        `${merchant} data 1 ${id} retired`,
        `${merchant} data 2 ${id}`,
        `${merchant} fingerprint 1 ${id}`,
      ]),
    );
    expect(await openable(local(1))).toBe(VALUES);
    expect(await openable(local(0))).toBe(0);
    expect(rotated.lines).toContain(`operation.sealed_card: 7 of 10 values sealed again.`);
    expect(rotated.lines).toContain(`operation.sealed_card: 10 of 10 values sealed again.`);
  });

  test('without the former master key is refused, and changes only the record of its start', async () => {
    await expect(harness.rotate(local(1))).rejects.toThrow('Configure the former key too');

    expect(await harness.dataKeys()).toHaveLength(4);
    expect(await openable(local(0))).toBe(VALUES);
    expect(await harness.rotate(local(1, 0))).toMatchObject({ resealed: VALUES });
  });

  test('in a rehearsal opens everything and changes nothing', async () => {
    const before = await harness.dump();

    const rehearsed = await harness.rotate(local(1, 0), { dryRun: true });

    expect(rehearsed).toMatchObject({ rewrapped: 4, renewed: 2, resealed: VALUES, retired: 2, left: 0 });
    expect(rehearsed.lines).toContain('webhook_secret.sealed: 10 of 10 values open.');
    expect(await harness.dump()).toBe(before);
    const { lines: _, ...rotated } = await harness.rotate(local(1, 0));
    expect(rehearsed).toMatchObject(rotated);
  });

  test('leaves a value that does not open unchanged, names its place, and keeps its key', async () => {
    const [spoilt, moved] = [values[0], values[1]];
    if (!spoilt || !moved) throw new Error('There are no values.');
    await harness.put(spoilt.context, await harness.sealedAt(moved.context));

    const rehearsed = await harness.rotate(local(1, 0), { dryRun: true });
    const rotated = await harness.rotate(local(1, 0));

    const { table, column, rowId } = spoilt.context;
    for (const { unreadable } of [rehearsed, rotated])
      expect(unreadable).toEqual([`${table}.${column} ${rowId}`]);
    expect(rotated).toMatchObject({ resealed: VALUES - 1, retired: 1 });
    expect((await harness.dataKeys()).filter((line) => line.endsWith('retired'))).toHaveLength(1);
    expect(await openable(local(1))).toBe(VALUES - 1);
  });
});
