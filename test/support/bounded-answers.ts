import type { PageRequest } from '../../src/kernel/page.ts';
import { ok, type Result } from '../../src/kernel/result.ts';
import type { InvalidInput } from '../../src/kernel/refusal.ts';
import type { Db } from '../../src/platform/database/db.ts';
import { countAll, listSorted, type ListNames } from '../../src/platform/lists/sorted-page.ts';
import type { Sorted } from '../../src/platform/lists/sorted-page.sql.ts';

/** Returns the range of creation that the message of a refusal names. */
export function remedyOf(message: string | undefined): Readonly<Record<string, Date>> {
  const [, name, moment] = /Set (\w+) to (\S+) or (?:later|earlier)/.exec(message ?? '') ?? [];
  if (name === undefined || moment === undefined) throw new Error(`No range of creation: ${message}`);
  return { [name]: new Date(moment) };
}

/** A list to read within such a scan limit. */
export type Asked<Row, Filter> = {
  readonly db: Db;
  readonly scanLimit: number;
  readonly request: PageRequest;
  readonly filter: Filter;
  readonly listOf: (filter: Filter) => Sorted<Row>;
};

/** The answer to a filter. After a refusal, `filter` has the range of creation that the refusal named. */
export type Answered<Filter, Value> = {
  readonly filter: Filter;
  readonly value: Value;
  readonly isNarrowed: boolean;
};

const NAMES: ListNames = { records: 'records', path: ['filter'] };

/** Reads the ids of a page. A refused filter is asked once more, in the range of creation that the refusal names. */
export const idsOf = <Row extends { readonly id: string }, Filter extends object>(
  asked: Asked<Row, Filter>,
): Promise<Answered<Filter, readonly string[]>> =>
  askTwice(asked.filter, async (filter) => {
    const page = await listSorted(readerOf(asked), NAMES, asked.request, asked.listOf(filter));
    return page.ok ? ok(page.value.items.map(({ id }) => id)) : page;
  });

/** Counts all records. A refused filter is asked once more, in the range of creation that the refusal names. */
export const countOf = <Row, Filter extends object>(
  asked: Asked<Row, Filter>,
): Promise<Answered<Filter, number>> =>
  askTwice(asked.filter, (filter) => countAll(readerOf(asked), NAMES, asked.listOf(filter), COUNT_MAX));

const COUNT_MAX = 10_000;

const readerOf = ({ db, scanLimit }: Pick<Asked<unknown, unknown>, 'db' | 'scanLimit'>) => ({
  db,
  config: { PAYGRAPH_LIST_SCAN_LIMIT: scanLimit },
});

async function askTwice<Filter extends object, Value>(
  filter: Filter,
  ask: (filter: Filter) => Promise<Result<Value, InvalidInput>>,
): Promise<Answered<Filter, Value>> {
  const first = await ask(filter);
  if (first.ok) return { filter, value: first.value, isNarrowed: false };
  const narrowed = { ...filter, ...remedyOf(first.refusals[0].message) };
  const second = await ask(narrowed);
  if (!second.ok) throw new Error(`Refused again: ${second.refusals[0].message}`);
  return { filter: narrowed, value: second.value, isNarrowed: true };
}
