import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startTakeBacks, type TakeBacks } from './take-backs.ts';

let play: TakeBacks;

beforeAll(async () => {
  play = await startTakeBacks();
});
afterAll(() => play.harness.stop());

const UNIT = 100_000;

/** Amounts with these decisions in the sandbox. A later decision comes with the next sync. */
const DECLINED = 520_002;
const LATER = { approved: 630_001, declined: 630_002 } as const;

type Act =
  | { readonly kind: 'capture' | 'refund'; readonly amount: number }
  | { readonly kind: 'sync' }
  | {
      readonly kind: 'reverse';
      readonly of: 'capture' | 'refund';
      readonly nth: number;
      readonly amount: number;
    };

const units = (max: number) => fc.integer({ min: 1, max }).map((count) => count * UNIT);

const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('capture' as const), amount: units(5) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('refund' as const), amount: units(6) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      amount: fc.constantFrom(DECLINED, LATER.approved, LATER.declined),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'sync' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('reverse' as const),
      of: fc.constantFrom('capture', 'refund'),
      nth: fc.nat(5),
      amount: units(4),
    }),
  },
);

type Part = { readonly operationId: string; readonly amount: number };

/** A capture or refund as the database has it. */
type Row = {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly amount: number;
  readonly reversedAmount: number;
  readonly refundCaptures: unknown;
};

const rowsOf = (transactionId: string): Promise<readonly Row[]> =>
  play.harness.server.app.db.prisma.operation.findMany({
    where: { transactionId, kind: { in: ['capture', 'refund'] } },
    orderBy: { id: 'asc' },
  });

const partsOf = ({ refundCaptures }: Row): readonly Part[] => refundCaptures as readonly Part[];

/** Sums up the refunded parts of each capture. A refused refund has none, and a reversed refund keeps its first parts. */
function refundedOf(rows: readonly Row[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows.filter(({ kind, status }) => kind === 'refund' && !REFUSED.has(status))) {
    let kept = row.amount - row.reversedAmount;
    for (const { operationId, amount } of partsOf(row)) {
      sums.set(operationId, (sums.get(operationId) ?? 0) + Math.min(amount, kept));
      kept = Math.max(kept - amount, 0);
    }
  }
  return sums;
}

const REFUSED: ReadonlySet<string> = new Set(['declined', 'failed']);

/** Allocates an amount to captures in the order of their making. The rows are those before the refund. */
function expected(rows: readonly Row[], amount: number): readonly Part[] {
  const refunded = refundedOf(rows);
  let rest = amount;
  return rows.flatMap((row) => {
    if (row.kind !== 'capture' || row.status !== 'succeeded') return [];
    const left = Math.max(row.amount - row.reversedAmount - (refunded.get(row.id) ?? 0), 0);
    const part = Math.min(left, rest);
    rest -= part;
    return part === 0 ? [] : [{ operationId: row.id, amount: part }];
  });
}

async function perform(id: string, act: Act): Promise<void> {
  const before = await rowsOf(id);
  switch (act.kind) {
    case 'capture':
      return void (await play.harness.capture(id, { amount: act.amount, final: false }));
    case 'sync':
      return void (await play.harness.sync(id));
    case 'refund': {
      const { operation } = await play.harness.refund(id, { amount: act.amount });
      const row = (await rowsOf(id)).find((found) => found.id === operation?.id);
      const parts = row && partsOf(row).map(({ operationId, amount }) => ({ operationId, amount }));
      return expect(parts).toEqual(operation ? expected(before, act.amount) : undefined);
    }
    case 'reverse': {
      const done = before.filter(({ kind, status }) => kind === act.of && status === 'succeeded');
      const row = done.at(act.nth % Math.max(done.length, 1));
      if (!row || row.amount - row.reversedAmount < act.amount) return;
      const event = { event: `${act.of}.reversed`, idempotency_key: row.id, code: 'insufficient_funds' };
      const part = { amount: act.amount, currency: 'EUR', reversal_reference: `${row.id} ${before.length}` };
      await play.tell({ ...event, ...part });
    }
  }
}

it('no capture ever carries more refunds than its amount, and each refund is of the oldest captures', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 4, maxLength: 14 }), async (given) => {
      const id = await play.pay({ amount: 20 * UNIT });
      for (const act of [{ kind: 'capture', amount: 4 * UNIT } as const, ...given]) {
        await perform(id, act);
        const rows = await rowsOf(id);
        const refunded = refundedOf(rows);
        for (const { id: capture, amount } of rows.filter(({ kind }) => kind === 'capture'))
          expect(refunded.get(capture) ?? 0).toBeLessThanOrEqual(amount);
      }
      // The provider refuses a refund of more than its captures with this code.
      const { prisma } = play.harness.server.app.db;
      expect(await prisma.operation.count({ where: { errorCode: 'invalid_amount' } })).toBe(0);
    }),
    { numRuns: 25 },
  );
});
