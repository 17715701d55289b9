import { environmentOf } from '../../../platform/process/config.ts';
import type { App } from '../../../app.ts';
import { queryIn, type Db } from '../../../platform/database/db.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { smallestAmountOf } from '../../payment-services/index.ts';
import type { Operated, Operation } from '../model/operation.ts';
import { lockOperation, readOperation, type StoredOperation } from '../rows/read.sql.ts';
import type { TakeBackFinding, TakeBackGiven, TakenBack } from './take-back-changes.ts';
import { decideTakeBack } from './take-back-rules.ts';
import { writeTakeBack } from './take-back.sql.ts';

/**
 * The rows after a report of a reversal or an expiry.
 *
 * - `waits`: an operation under way decides first.
 * - `asks`: nothing is booked before the provider says what a renewed authorisation holds.
 */
export type TakeBackResult = Operated &
  (
    | { readonly kind: 'waits' }
    | { readonly kind: 'asks' }
    | { readonly kind: 'decided'; readonly changed: boolean; readonly finding: TakeBackFinding | null }
  );

/**
 * Books a reversal of a capture or refund, or the expiry of an authorisation. Commits once: amounts, ledger, events and
 * history. Decides on the current state, and after a conflict once more under the lock. A report that is booked already
 * changes nothing, so a repeat after a crash is harmless.
 */
export async function takeBack(
  app: App,
  { merchantAccountId, id }: Operation,
  reported: TakenBack,
): Promise<TakeBackResult> {
  const given = givenOf(app);
  await failpoint('inbound.taking_back');
  const result =
    (await tryOn(app, app.db, await readOperation(app.db, merchantAccountId, id), { reported, given })) ??
    (await app.db.transaction(async (tx) => {
      const found = await lockOperation(queryIn(tx), merchantAccountId, id);
      return tryOn(app, queryIn(tx), found, { reported, given });
    }));
  if (!result) throw new Error(`Operation ${id} changed under the lock of its transaction`);
  await failpoint('inbound.taken_back');
  if (result.kind === 'decided' && result.changed) app.wakeRelay();
  return result;
}

const givenOf = (app: App): Report['given'] => ({
  now: app.clock.now(),
  ledgerId: app.ids.uuid(),
  eventIds: [app.ids.uuid(), app.ids.uuid()],
  historyId: app.ids.uuid(),
});

type Report = { readonly reported: TakenBack; readonly given: Omit<TakeBackGiven, 'unit'> };

/** Decides and applies. Null means that the state was not current. */
async function tryOn(
  app: App,
  db: Pick<Db, 'query'>,
  found: StoredOperation | null,
  { reported, given }: Report,
): Promise<TakeBackResult | null> {
  if (!found) throw new Error('The operation of a webhook is gone');
  const state = { ...found, service: found.connection };
  const { definitionId } = found.connection;
  const unit = smallestAmountOf(app, { definitionId, currency: found.transaction.currency });
  const verdict = decideTakeBack(state, reported, { ...given, unit });
  if (verdict.kind === 'waits') return { ...found, kind: 'waits' };
  if (verdict.kind === 'asks') return { ...found, kind: 'asks' };
  if (verdict.kind === 'none') return { ...found, kind: 'decided', changed: false, finding: verdict.finding };
  const environment = environmentOf(app.config);
  const written = await writeTakeBack(db, state, verdict.changes, environment);
  return written && { ...written, kind: 'decided', changed: true, finding: verdict.finding };
}
