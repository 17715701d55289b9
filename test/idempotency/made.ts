import type { House, Tenant } from './house.ts';

/** What a mutation makes, as it is counted. Equal to `times(1)` after one effect. */
export type Made = {
  count(house: House, tenant: Tenant): Promise<Counts>;
  /** The counts after so many effects, for which the provider was called so often. */
  times(effects: number, calls?: number): Counts;
  /** Where the process can die so that the effect is left half done, and what there is of it then. */
  readonly deaths: (mutation: string) => readonly Death[];
  /** Whether a provider is called. */
  readonly money: boolean;
};

export type Counts = Readonly<Record<string, number>>;

export type Death = {
  readonly point: string;
  /** What it leaves. */
  readonly left: Counts;
  /** What there is when the same request has come again, and operations that were left are settled. */
  readonly recovered: Counts;
};

/** Where a mutation that makes a record is held or dies: all is written, nothing is committed. */
export const committing = (mutation: string): string => `${mutation}.committing`;

/** Rows of one table; `where` says which are the tenant's, who is `$1`. They are there when the mutation commits, or never. */
export function record(table: string, where: string): Made {
  const times = (rows: number) => ({ rows });
  return {
    count: async (house, { id }) => times(await countRows(house, `${table} WHERE ${where}`, id)),
    times,
    deaths: (mutation) => [{ point: committing(mutation), left: times(0), recovered: times(1) }],
    money: false,
  };
}

/**
 * Operations of one kind: how many there are, how many have their ledger entry, how often the provider was asked for them
 * and how often it did it.
 */
export function money(kind: string): Made {
  const times = (effects: number, calls = effects) => ({
    operations: effects,
    // A cancel moves nothing.
    ledger: kind === 'cancel' ? 0 : effects,
    calls,
    booked: effects,
  });
  return {
    count: async (house, { id }) => {
      const operations = await house.rows<{ id: string }>(
        'SELECT id FROM operation WHERE merchant_account_id = $1 AND kind = $2',
        id,
        kind,
      );
      const keys = operations.map((operation) => operation.id);
      return {
        operations: keys.length,
        ledger: await countRows(house, 'ledger_entry WHERE merchant_account_id = $1 AND kind = $2', id, kind),
        calls: house.provider.calls.filter(
          (call) => call.operation === kind && keys.includes(call.idempotency_key),
        ).length,
        booked: keys.filter((key) => house.provider.books.has(key)).length,
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

async function countRows(house: House, from: string, ...values: readonly unknown[]): Promise<number> {
  const [row] = await house.rows<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`, ...values);
  return row?.count ?? Number.NaN;
}
