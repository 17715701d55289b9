import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { endHold } from '../hold/hold.ts';
import { readProgress, unansweredOf, type HoldApp, type HoldProgress } from './progress.ts';
import { reasonsToHold, type HoldDoubt, type HoldReason } from './reasons.ts';

/**
 * The acceptances of an operator at the end of a hold.
 *
 * - `unproven`: payment services and gift cards whose providers tell no payment as a whole
 * - `undecided`: operations that their providers accepted and have not decided
 * - `unanswered`: payments that could not be compared, because their providers gave no answer
 * - `anyway`: every doubt without an acceptance of its own
 */
export const ACCEPTANCES = ['unproven', 'undecided', 'unanswered', 'anyway'] as const;
export type Acceptance = (typeof ACCEPTANCES)[number];

const ACCEPTED_BY: Readonly<Record<HoldDoubt, Acceptance>> = {
  unknown: 'anyway',
  comparing: 'anyway',
  reports: 'anyway',
  differences: 'anyway',
  undecided: 'undecided',
  unanswered: 'unanswered',
  unproven: 'unproven',
};

/**
 * Lets payments go on after a restore. Refuses with the reasons that nobody accepts. Commits once, with an audit entry for each
 * merchant account. The entry keeps the state at the end. Returns the accepted reasons, or null if no hold ended.
 */
export async function releasePayments(
  app: HoldApp,
  accepted: readonly Acceptance[],
): Promise<Result<readonly HoldReason[] | null, HoldReason>> {
  const progress = await readProgress(app);
  if (!progress) return ok(null);
  const reasons = reasonsToHold(progress);
  const [reason, ...others] = reasons.filter(({ doubt }) => !accepted.includes(ACCEPTED_BY[doubt]));
  if (reason) return refuse(reason, ...others);
  const state = { ...stateOf(progress), accepted: reasons.map(({ doubt }) => doubt) };
  return ok((await endHold(app.db, progress.hold, state)) ? reasons : null);
}

/** Returns the state of a hold for the audit log. */
function stateOf({ services, giftCards, ...counts }: HoldProgress): object {
  const left = services.filter((each) => each.state !== 'compared' || unansweredOf(each) > 0);
  const { unknown, undecided, unsent, reports, differences } = counts;
  return {
    payment_services: left.map((each) => ({
      ...{ id: each.paymentServiceId, payments: each.left, unanswered: unansweredOf(each) },
    })),
    ...{ gift_cards: giftCards, unknown, undecided, unsent, reports, differences },
  };
}
