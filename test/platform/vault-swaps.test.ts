import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createRandom } from '../simulation/random.ts';
import { local, startVaultHarness, type Stored, type VaultHarness } from './vault-harness.ts';

const SEED = 20_261_122;
const TRIES = 10_000;

type Sealed = Stored & { readonly sealed: string };

let harness: VaultHarness;
/** Sealed values of three merchant accounts and two versions of their keys, in every sealed column. */
let values: readonly Sealed[];

beforeAll(async () => {
  harness = await startVaultHarness();
  const vault = harness.vault(local(0));
  const older = await harness.fill(vault, ['acme', 'rival', 'third'], 3);
  for (const merchantAccountId of ['acme', 'rival', 'third'])
    await harness.renew(local(0), merchantAccountId);
  const newer = await harness.fill(harness.vault(local(0)), ['acme', 'rival', 'third'], 3);
  values = await Promise.all(
    [...older, ...newer].map(async (stored) => ({
      ...stored,
      sealed: await harness.sealedAt(stored.context),
    })),
  );
});
afterAll(() => harness.stop());

test(`of ${TRIES} moved or changed texts, none opens`, async () => {
  const random = createRandom(SEED);
  const vault = harness.vault(local(0), 60_000);
  const kinds = new Map<string, number>();
  let opened = 0;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const [kind, context, sealed] = spoil(random, values);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    await vault.open(context, sealed).then(
      () => (opened += 1),
      () => undefined,
    );
  }

  expect(opened).toBe(0);
  for (const kind of ['row', 'column', 'merchant account', 'anywhere', 'bit', 'part'])
    expect([kind, kinds.get(kind)]).toEqual([kind, expect.any(Number)]);
  expect(new Set(values.map(({ sealed }) => sealed.split('.')[1])).size).toBe(6);
  // The same vault opens all of them in their own places.
  for (const { context, clear, sealed } of values) expect(await vault.open(context, sealed)).toBe(clear);
});

type Spoilt = readonly [kind: string, context: Stored['context'], sealed: string];

/** Puts a text into another's place, or replaces one bit or one part of the text. */
function spoil(random: ReturnType<typeof createRandom>, all: readonly Sealed[]): Spoilt {
  const one = random.pick(all);
  const others = all.filter(({ context }) => context.rowId !== one.context.rowId);
  const other = random.pick(others);
  const kind = random.pick(['row', 'column', 'merchant account', 'anywhere', 'bit', 'part'] as const);
  switch (kind) {
    case 'row':
      return [kind, { ...one.context, rowId: other.context.rowId }, one.sealed];
    case 'column': {
      const fit = others.filter(({ context }) => context.column !== one.context.column);
      const { table, column } = random.pick(fit).context;
      return [kind, { ...one.context, table, column } as Stored['context'], one.sealed];
    }
    case 'merchant account': {
      const fit = ['acme', 'rival', 'third', 'nobody'].filter((id) => id !== one.context.merchantAccountId);
      return [kind, { ...one.context, merchantAccountId: random.pick(fit) }, one.sealed];
    }
    case 'anywhere':
      return [kind, other.context, one.sealed];
    case 'bit':
      return [kind, one.context, flip(random, one.sealed)];
    case 'part':
      return [kind, one.context, mix(random, one.sealed, other.sealed)];
  }
}

function flip(random: ReturnType<typeof createRandom>, sealed: string): string {
  const bytes = Buffer.from(sealed, 'latin1');
  const at = random.int(0, bytes.length - 1);
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random.int(0, 7)), at);
  return bytes.toString('latin1');
}

/** Takes the nonce, the ciphertext or the tag from another text. */
function mix(random: ReturnType<typeof createRandom>, one: string, other: string): string {
  const parts = one.split('.');
  const at = random.pick([2, 3, 4]);
  parts[at] = other.split('.')[at] ?? '';
  return parts.join('.');
}
