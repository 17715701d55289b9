import type { Harness, Payload, Tenant } from './harness.ts';

/** The counted effects of a mutation. They equal `times(1)` after one effect. */
export type Made = {
  count(harness: Harness, tenant: Tenant): Promise<Counts>;
  /** Returns the counts after so many effects and calls of the provider. */
  times(effects: number, calls?: number): Counts;
  /** Points at which a death of the process leaves half of the effect, with the rows at that time. */
  readonly deaths: (mutation: string) => readonly Death[];
  /** True if the mutation calls a provider. */
  readonly money: boolean;
};

export type Counts = Readonly<Record<string, number>>;

export type Death = {
  readonly point: string;
  /** The counts after the death. */
  readonly left: Counts;
  /** The counts after a repeat of the request and the settling of pending operations. */
  readonly recovered: Counts;
};

/** Names the failpoint of a mutation that creates a record: all rows are written, nothing is committed. */
export const committing = (mutation: string): string => `${mutation}.committing`;

/**
 * Counts rows of one table. `where` selects the rows of the tenant, which is `$1`. They exist exactly after the
 * commit.
 */
export function record(table: string, where: string): Made {
  const times = (rows: number) => ({ rows });
  return {
    count: async (harness, { id }) => times(await countRows(harness, `${table} WHERE ${where}`, id)),
    times,
    deaths: (mutation) => [{ point: committing(mutation), left: times(0), recovered: times(1) }],
    money: false,
  };
}

/** A cancel and a re-authorisation move no money, so the ledger has no entry of them. */
const NO_MONEY: ReadonlySet<string> = new Set(['cancel', 'reauthorize']);

/** Counts operations of one kind, their ledger entries, the calls of the provider and the effects there. */
export function money(kind: string): Made {
  const times = (effects: number, calls = effects) => ({
    operations: effects,
    ledger: NO_MONEY.has(kind) ? 0 : effects,
    calls,
    booked: effects,
  });
  return {
    count: async (harness, { id }) => {
      const operations = await harness.rows<{ key: string }>(
        'SELECT coalesce(provider_key, id) AS key FROM operation WHERE merchant_account_id = $1 AND kind = $2',
        id,
        kind,
      );
      const keys = operations.map((operation) => operation.key);
      return {
        operations: keys.length,
        ledger: await countRows(
          harness,
          'ledger_entry WHERE merchant_account_id = $1 AND kind = $2',
          id,
          kind,
        ),
        calls: harness.provider.calls.filter(
          (call) => call.operation === kind && keys.includes(call.idempotency_key),
        ).length,
        booked: keys.filter((key) => harness.provider.books.has(key)).length,
      };
    },
    times,
    deaths: () => [
      { point: `${kind}.claimed`, left: { ...times(0), operations: 1 }, recovered: times(1) },
      {
        point: `${kind}.called`,
        left: { ...times(0), operations: 1, calls: 1, booked: 1 },
        recovered: times(1, 2),
      },
      { point: `${kind}.settled`, left: times(1), recovered: times(1) },
    ],
    money: true,
  };
}

/** Counts responses to disputes of one kind, and the calls of the provider under their keys. */
export function responded(kind: string, call: string): Made {
  const times = (effects: number, calls = effects) => ({ responses: effects, settled: effects, calls });
  const claimed = { ...times(0), responses: 1 };
  return {
    count: async (harness, { id }) => {
      const rows = await harness.rows<{ key: string; status: string }>(
        `SELECT coalesce(provider_key, id) AS key, status FROM dispute_response
         WHERE merchant_account_id = $1 AND kind = $2`,
        id,
        kind,
      );
      const keys = rows.map(({ key }) => key);
      return {
        responses: rows.length,
        settled: rows.filter(({ status }) => status === 'succeeded').length,
        calls: harness.provider.disputeCalls.filter(
          ({ operation, idempotency_key: key }) => operation === call && keys.includes(key),
        ).length,
      };
    },
    times,
    deaths: () => [
      { point: 'disputes.claimed', left: claimed, recovered: times(1) },
      { point: 'disputes.answered', left: { ...claimed, calls: 1 }, recovered: times(1, 2) },
      { point: 'disputes.settled', left: times(1), recovered: times(1) },
    ],
    money: true,
  };
}

async function countRows(harness: Harness, from: string, ...values: readonly unknown[]): Promise<number> {
  const [row] = await harness.rows<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${from}`,
    ...values,
  );
  return row?.count ?? Number.NaN;
}

/** Returns the id of a record in a payload. */
export function idOf(payload: Payload, field: string): string {
  const made = payload[field];
  if (typeof made !== 'object' || made === null || !('id' in made)) throw new Error(`No ${field} was made.`);
  return String(made.id);
}
