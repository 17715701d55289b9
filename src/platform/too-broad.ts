import { invalidInput, type InvalidInput } from '../kernel/refusal.ts';
import type { TooBroad } from './bounded-list.sql.ts';

/**
 * Builds the refusal of a list or a count whose filter would visit too many records. The message names the range of creation
 * that is small enough.
 *
 * - `records`: the plural of what the list holds.
 * - `path`: the names to the object or the arguments that hold the filters of creation.
 */
export function refuseBroad(
  { reached, isTied, visits, down }: TooBroad,
  records: string,
  path: readonly string[] = ['filter'],
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
