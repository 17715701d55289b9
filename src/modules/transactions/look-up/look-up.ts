import type { App } from '../../../app.ts';
import { leaseUntil, longestDeadlineMs } from '../../payment-services/index.ts';
import type { LookUp } from '../named/look-up.ts';
import { LATER_MS } from '../named/note-reported.ts';
import { TRY_AGAIN_AFTER_MS } from '../sweep/passes.ts';
import { ask, type Asked } from './ask.ts';
import { deskOf, nameOf } from './desk.ts';
import { countLookUp } from './look-up-counter.ts';
import {
  claimReported,
  forgetReported,
  releaseReported,
  type ClaimTimes,
  type Reported,
} from './reported.sql.ts';

/**
 * Asks the providers at once about payments that webhooks named, and that were noted. Never throws.
 *
 * - One look-up of a payment is under way at a time, over all processes. Webhooks during a look-up lead to one more.
 * - Each payment and each payment service has bounds in each process, whoever sends the webhooks. Beyond them, during an outage, and
 *   after a crash, the note stays. The loop of look-ups asks later.
 */
export async function lookUpPayments(app: App, lookUps: readonly LookUp[]): Promise<void> {
  const { lanes } = deskOf(app.db);
  await Promise.all(lookUps.map((lookUp) => lanes(nameOf(lookUp), () => lookUpPayment(app, lookUp))));
}

/** Lets no further look-up of this process begin. The notes stay. */
export const closeLookUps = ({ db }: Pick<App, 'db'>): void => deskOf(db).close();

async function lookUpPayment(app: App, lookUp: LookUp): Promise<void> {
  const desk = deskOf(app.db);
  const now = app.clock.now();
  if (!desk.begin(lookUp, now)) return countLookUp(app, 'postponed');
  let asked: Asked = 'under_way';
  try {
    const reported = await claimReported(app.db, lookUp, claimTimes(app, now));
    if (!reported) return countLookUp(app, 'claimed');
    asked = await askSafely(app, reported);
    const { tries, laterAt } = reported;
    // Only the loop counts tries. Otherwise, many webhooks during an outage would postpone the question.
    await conclude(app, reported, asked, { tries, nextAt: laterAt });
  } catch (error) {
    tell(app, lookUp, error);
  } finally {
    desk.end(lookUp, { asked, now: app.clock.now() });
  }
}

/** Looks a payment up that the loop has claimed. Never throws. */
export async function lookUpDuePayment(app: App, reported: Reported): Promise<void> {
  const desk = deskOf(app.db);
  const { tries, laterAt } = reported;
  const postponed = { tries, nextAt: laterAt };
  try {
    if (!desk.beginDue(reported, app.clock.now())) {
      countLookUp(app, 'postponed');
      return await releaseReported(app.db, reported, postponed);
    }
    const asked = await askSafely(app, reported);
    const now = app.clock.now();
    desk.end(reported, { asked, now });
    const next = { tries: tries + 1, nextAt: new Date(now.getTime() + pauseAfter(tries)) };
    await conclude(app, reported, asked, asked === 'silent' ? next : postponed);
  } catch (error) {
    tell(app, reported, error);
  }
}

/** Returns the times of a claim. The lease outlasts the look-ups of the operations and the read of the books. */
export const claimTimes = (app: App, now: Date): ClaimTimes => ({
  now,
  leaseUntil: leaseUntil(now, 2 * longestDeadlineMs(app)),
  laterAt: new Date(now.getTime() + LATER_MS),
});

/** Asks about a payment, and counts the outcome. A fault here is logged and counts as a silence. */
async function askSafely(app: App, lookUp: LookUp): Promise<Asked> {
  const asked = await ask(app, lookUp).catch((error: unknown): Asked => {
    tell(app, lookUp, error);
    return 'silent';
  });
  countLookUp(app, asked);
  return asked;
}

/** Ends a look-up. Forgets the payment after an answer without a webhook meanwhile. */
async function conclude(
  app: App,
  reported: Reported,
  asked: Asked,
  next: { readonly tries: number; readonly nextAt: Date },
): Promise<void> {
  if (asked !== 'answered') return releaseReported(app.db, reported, next);
  if (await forgetReported(app.db, reported)) return;
  await releaseReported(app.db, reported, { tries: 0, nextAt: reported.laterAt });
}

/** Returns the pause after some questions without an answer. The longest pause repeats, so no payment is forgotten. */
const pauseAfter = (tries: number): number =>
  TRY_AGAIN_AFTER_MS[Math.min(tries, TRY_AGAIN_AFTER_MS.length - 1)] ?? LATER_MS;

function tell(app: App, { merchantAccountId, paymentServiceId }: LookUp, error: unknown): void {
  app.log.error(
    { merchantAccountId, paymentServiceId, err: error },
    'A payment could not be looked up after a webhook. Paygraph asks again.',
  );
}
