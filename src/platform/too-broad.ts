import { invalidInput, type InvalidInput } from '../kernel/refusal.ts';
import { ok, refuse, type Result } from '../kernel/result.ts';
import { readReach, type Bounded, type TooBroad } from './bounded-list.sql.ts';
import { collectable, type BoundedList } from './list-way.sql.ts';
import type { Db } from './db.ts';

/** A list that may need too many visits. */
export type Broad = {
  readonly visits: number;
  /** The plural of what the list holds. */
  readonly records: string;
  /** The names to the object that holds the filters of creation. */
  readonly path: readonly string[];
  /** The same records from the newest on. Null if the list has the order of creation. */
  readonly newest: BoundedList | null;
};

/** Answers what was found. Refuses a filter that needs too many visits, and names a range of creation that is small enough. */
export async function unlessBroad<Found, Answer>(
  db: Db,
  { visits, records, path, newest }: Broad,
  bounded: Bounded<Found>,
  answer: (found: Found) => Answer,
): Promise<Result<Answer, InvalidInput>> {
  if ('found' in bounded) return ok(answer(bounded.found));
  const reach = newest && (await readReach(db, newest, collectable(visits)));
  return refuse(refuseBroad(reach ?? bounded.tooBroad, records, path));
}

/**
 * Builds the refusal of a list or a count whose filter would visit too many records. The message names the range of creation
 * that is small enough.
 *
 * - `records`: the plural of what the list holds.
 * - `path`: the names to the object or the arguments that hold the filters of creation.
 */
function refuseBroad(
  { reached, isTied, visits, down }: TooBroad,
  records: string,
  path: readonly string[],
): InvalidInput {
  const name = down ? 'createdAtGte' : 'createdAtLte';
  const limit =
    reached instanceof Date ? ` to ${nearest(reached, isTied, down)} or ${down ? 'later' : 'earlier'}` : '';
  return invalidInput(
    [...path, name],
    `One request reads at most ${visits.toLocaleString('en')} ${records}, and this filter needs more. ` +
      `Set ${name}${limit}, or add another filter.`,
  );
}

/** Leaves out the last moment if not all of its records were visited. */
function nearest(reached: Date, isTied: boolean, down: boolean): string {
  const step = down ? 1 : -1;
  return new Date(reached.getTime() + (isTied ? step : 0)).toISOString();
}
