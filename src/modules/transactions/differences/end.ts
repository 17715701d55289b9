import type { App, Viewer } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { isUuid } from '../../../platform/ids.ts';
import { refuseText } from '../../../platform/input/text.ts';
import { bookElsewhere } from '../elsewhere/book.ts';
import type { DifferenceNotAdoptable, DifferenceNotOpen } from '../model/refusals.ts';
import { fromStored, isBooked, type Difference } from './difference.ts';
import { endDifference, readDifference } from './differences.sql.ts';

const REASON_MAX = 500;

/**
 * Books the reported operation of a difference, and ends the difference. Commits the booking, then the end. After a crash between,
 * a repeat finds the booking and ends the difference. The same adoption again changes nothing.
 *
 * Refuses a difference that a person or a later report ended otherwise. Refuses a report that cannot be booked, such as one in
 * another currency: dismiss that one.
 */
export async function adoptDifference(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
): Promise<Result<Difference, NotFound | DifferenceNotOpen | DifferenceNotAdoptable>> {
  const found = await read(app, merchantAccountId, id);
  if (!found) return refuse(notFound('difference'));
  if (found.state === 'adopted') return ok(found);
  if (found.state !== 'open') return refuse({ kind: 'DifferenceNotOpen', state: found.state });
  if (!isBooked(found) && !(await book(app, found))) return refuse({ kind: 'DifferenceNotAdoptable' });
  return end(app, found, { state: 'adopted', reason: null });
}

/**
 * Ends a difference without a booking. Commits once. The same dismissal again changes nothing. Refuses a difference that ended
 * otherwise.
 *
 * reason: 1 to 500 characters.
 */
export async function dismissDifference(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
  reason: string,
): Promise<Result<Difference, InvalidInput | NotFound | DifferenceNotOpen>> {
  const fault = refuseText(reason, 1, REASON_MAX);
  if (fault) return refuse(invalidInput(['reason'], fault));
  const found = await read(app, merchantAccountId, id);
  if (!found) return refuse(notFound('difference'));
  if (found.state === 'dismissed') return ok(found);
  if (found.state !== 'open') return refuse({ kind: 'DifferenceNotOpen', state: found.state });
  return end(app, found, { state: 'dismissed', reason });
}

const read = async (app: App, merchantAccountId: string, id: string): Promise<Difference | null> =>
  isUuid(id) ? readDifference(app.db, merchantAccountId, id) : null;

/** Books the report as it stands. False if the report names nothing that can be booked now. */
async function book(app: App, { made, ...difference }: Difference): Promise<boolean> {
  if (made === null) return false;
  const booked = await bookElsewhere(app, difference, {
    ...{ made: fromStored(made), isLate: true, isSure: true },
    // A repeat finds the booking by its id, also without an id of the provider.
    operationId: difference.id,
  });
  return booked.kind === 'decided' && (booked.changed || booked.finding === null);
}

type Ending = { readonly state: 'adopted' | 'dismissed'; readonly reason: string | null };

async function end(
  app: App,
  found: Difference,
  ending: Ending,
): Promise<Result<Difference, DifferenceNotOpen>> {
  const ended = await endDifference(app.db, found, { ...ending, now: app.clock.now() });
  if (ended) return ok(ended);
  const current = await readDifference(app.db, found.merchantAccountId, found.id);
  if (current?.state === ending.state) return ok(current);
  return refuse({ kind: 'DifferenceNotOpen', state: current?.state ?? found.state });
}
