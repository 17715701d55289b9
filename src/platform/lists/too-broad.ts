import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { readScanEnd, type Bounded, type TooBroad } from './bounded-list.sql.ts';
import { collectable, type BoundedList } from './scan-plan.sql.ts';
import type { Db } from '../database/db.ts';

/** A list that may scan too many rows. */
export type Broad = {
  readonly scanLimit: number;
  /** The plural of what the list holds. */
  readonly records: string;
  /** The names to the object that holds the filters of creation. */
  readonly path: readonly string[];
  /** The plural of the records that share the scan limit, if the lists of several are read together. */
  readonly owners?: string;
  /** The same records from the newest on. Null if the list has the order of creation. */
  readonly newest: BoundedList | null;
};

/** Answers what was found. Refuses a filter that would scan too many rows, and names a range of creation that is small enough. */
export async function unlessBroad<Found, Answer>(
  db: Db,
  broad: Broad,
  bounded: Bounded<Found>,
  answer: (found: Found) => Answer,
): Promise<Result<Answer, InvalidInput>> {
  return 'found' in bounded
    ? ok(answer(bounded.found))
    : refuse(await refusalOf(db, broad, bounded.tooBroad));
}

/** Answers lists of the same filter. All refusals among them must be the same one. */
export async function unlessAnyBroad<Found, Answer>(
  db: Db,
  broad: Broad,
  lists: readonly Bounded<Found>[],
  answer: (found: Found) => Answer,
): Promise<readonly Result<Answer, InvalidInput>[]> {
  const [tooBroad] = lists.flatMap((each) => ('tooBroad' in each ? [each.tooBroad] : []));
  if (!tooBroad) return lists.flatMap((each) => ('found' in each ? [ok(answer(each.found))] : []));
  const refusal = refuse(await refusalOf(db, broad, tooBroad));
  return lists.map((each) => ('found' in each ? ok(answer(each.found)) : refusal));
}

const refusalOf = async (db: Db, broad: Broad, tooBroad: TooBroad): Promise<InvalidInput> => {
  const end = broad.newest && (await readScanEnd(db, broad.newest, collectable(broad.scanLimit)));
  return refuseBroad(end ?? tooBroad, broad);
};

/**
 * Builds the refusal of a list or a count whose filter would scan too many records. The message names the range of creation
 * that is small enough.
 */
function refuseBroad(tooBroad: TooBroad, { records, path, owners }: Broad): InvalidInput {
  const { scanLimit, down } = tooBroad;
  const name = down ? 'createdAtGte' : 'createdAtLte';
  const moment = momentOf(tooBroad);
  const limit =
    moment === null ? '' : ` to ${new Date(moment).toISOString()} or ${down ? 'later' : 'earlier'}`;
  const others =
    owners === undefined ? 'or add another filter' : `add another filter, or read fewer ${owners} at a time`;
  return invalidInput(
    [...path, name],
    `One request reads at most ${scanLimit.toLocaleString('en')} ${records}, and this filter needs more. ` +
      `Set ${name}${limit}, ${others}.`,
  );
}

/**
 * Returns the farthest moment whose records were all scanned. The last moment is left out if some of its records were not.
 * Null for a scan by another column than the moment of creation.
 */
export function momentOf({ lastValue, isTied, down }: TooBroad): number | null {
  if (!(lastValue instanceof Date)) return null;
  return lastValue.getTime() + (isTied ? (down ? 1 : -1) : 0);
}
