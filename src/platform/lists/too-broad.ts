import { invalidInput, type InvalidInput } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { readReach, type Bounded, type TooBroad } from './bounded-list.sql.ts';
import { collectable, type BoundedList } from './list-way.sql.ts';
import type { Db } from '../database/db.ts';

/** A list that may need too many visits. */
export type Broad = {
  readonly visits: number;
  /** The plural of what the list holds. */
  readonly records: string;
  /** The names to the object that holds the filters of creation. */
  readonly path: readonly string[];
  /** The plural of the records that share the visits, if the lists of several are read together. */
  readonly owners?: string;
  /** The same records from the newest on. Null if the list has the order of creation. */
  readonly newest: BoundedList | null;
};

/** Answers what was found. Refuses a filter that needs too many visits, and names a range of creation that is small enough. */
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
  const reach = broad.newest && (await readReach(db, broad.newest, collectable(broad.visits)));
  return refuseBroad(reach ?? tooBroad, broad);
};

/**
 * Builds the refusal of a list or a count whose filter would visit too many records. The message names the range of creation
 * that is small enough.
 */
function refuseBroad(tooBroad: TooBroad, { records, path, owners }: Broad): InvalidInput {
  const { visits, down } = tooBroad;
  const name = down ? 'createdAtGte' : 'createdAtLte';
  const moment = momentOf(tooBroad);
  const limit =
    moment === null ? '' : ` to ${new Date(moment).toISOString()} or ${down ? 'later' : 'earlier'}`;
  const others =
    owners === undefined ? 'or add another filter' : `add another filter, or read fewer ${owners} at a time`;
  return invalidInput(
    [...path, name],
    `One request reads at most ${visits.toLocaleString('en')} ${records}, and this filter needs more. ` +
      `Set ${name}${limit}, ${others}.`,
  );
}

/**
 * Returns the farthest moment whose records were all visited. The last moment is left out if some of its records were not.
 * Null for a walk by another column than the moment of creation.
 */
export function momentOf({ reached, isTied, down }: TooBroad): number | null {
  if (!(reached instanceof Date)) return null;
  return reached.getTime() + (isTied ? (down ? 1 : -1) : 0);
}
