import { unansweredOf, type HoldProgress, type ProvedService } from './progress.ts';

/**
 * A doubt that speaks against the end of a hold.
 *
 * - `unknown`: sent operations have no outcome, and their providers were not asked or gave no answer.
 * - `comparing`: payments are not compared yet.
 * - `reports`, `differences`: findings of the comparison are not booked, or wait for a person.
 * - `undecided`: providers accepted operations, and decide later.
 * - `unanswered`: providers gave no answer about payments.
 * - `unproven`: providers tell no payment as a whole.
 */
export type HoldDoubt =
  | 'unknown'
  | 'comparing'
  | 'reports'
  | 'differences'
  | 'undecided'
  | 'unanswered'
  | 'unproven';

/** A doubt with the number of its operations, payments, reports or differences. */
export type HoldReason = { readonly doubt: HoldDoubt; readonly count: number };

/** Lists the reasons against the end of a hold. Pure. */
export function reasonsToHold(progress: HoldProgress): readonly HoldReason[] {
  const { unknown, undecided, services, giftCards, reports, differences } = progress;
  const comparing = services.filter(({ state }) => state === 'comparing');
  const unproven = services.filter(({ state }) => state === 'unproven');
  const counts: readonly (HoldReason & { readonly stands?: boolean })[] = [
    { doubt: 'unknown', count: unknown },
    // The last round finds no payment, and ends the comparison.
    { doubt: 'comparing', count: leftOf(comparing), stands: comparing.length > 0 },
    { doubt: 'reports', count: reports },
    { doubt: 'differences', count: differences },
    { doubt: 'undecided', count: undecided },
    { doubt: 'unanswered', count: services.reduce((sum, each) => sum + unansweredOf(each), 0) },
    { doubt: 'unproven', count: leftOf(unproven) + giftCards, stands: unproven.length > 0 },
  ];
  return counts
    .filter(({ count, stands = count > 0 }) => stands || count > 0)
    .map(({ doubt, count }) => ({ doubt, count }));
}

const leftOf = (services: readonly ProvedService[]): number =>
  services.reduce((sum, { left }) => sum + left, 0);
