import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { endHold } from '../hold/hold.ts';
import { readProgress, reasonsToHold, type HoldApp, type HoldReason } from './progress.ts';

/** The doubts that an operator accepts. */
export type Accepted = {
  /** Accepts payment services and gift cards whose providers tell no payment as a whole. */
  readonly unproven: boolean;
  /** Accepts everything. */
  readonly anyway: boolean;
};

/**
 * Lets payments go on after a restore. Refuses with the reasons while operations are undecided, payments are not compared,
 * reports are not booked, or differences are open. Commits once, with an audit entry for each merchant account. The entry
 * keeps the state at the end. Returns true if a hold ended.
 */
export async function releasePayments(
  app: HoldApp,
  accepted: Accepted,
): Promise<Result<boolean, HoldReason>> {
  const progress = await readProgress(app);
  if (!progress) return ok(false);
  const { hold, undecided, unsent, services, giftCards, reports, differences } = progress;
  const [reason, ...others] = reasonsToHold(progress).filter((each) => !isAccepted(each, accepted));
  if (reason) return refuse(reason, ...others);
  const left = services.filter(({ state }) => state !== 'compared');
  const unproven = left.map(({ paymentServiceId: id, left: payments }) => ({ id, payments }));
  const state = {
    ...{ payment_services: unproven, gift_cards: giftCards, undecided, unsent, reports, differences },
    anyway: accepted.anyway,
  };
  return ok(await endHold(app.db, hold, state));
}

const isAccepted = (reason: HoldReason, { unproven, anyway }: Accepted): boolean =>
  anyway || (unproven && reason === 'unproven');
