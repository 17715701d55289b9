import type { HoldProgress, HoldReason, ProvedService } from '../../modules/transactions/index.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';

/** Returns the sentence for a reason against the end of a hold. */
export const reasonIn = (reason: HoldReason): string => AGAINST[reason];

const AGAINST: Readonly<Record<HoldReason, string>> = {
  undecided: `Operations have no outcome yet. Reconciliation asks their providers. Resolve the others with "resolveOperation". --anyway leaves them open.`,
  comparing: `Payments are not compared yet. Look at the progress with "${howToRun('restored')}". --anyway ends the hold before the end of the comparison.`,
  reports:
    'Reports of the comparison are not booked yet. Try again soon. A report may wait for an operation without an outcome: resolve that with "resolveOperation".',
  differences:
    'Differences are open. Adopt or dismiss each in the dashboard or with adoptDifference. --anyway leaves them open.',
  unproven:
    'Some providers tell no payment as a whole. Compare their payments by hand, then add --accept-unproven.',
};

/** Returns the state of a hold in lines. `perMinute`: the calls of each payment service. */
export function linesOf(progress: HoldProgress | null, perMinute: number): readonly string[] {
  if (!progress) return ['Payments are not held back.'];
  const { hold, undecided, unsent, services, giftCards, reports, differences } = progress;
  return [
    `Payments are held back since ${hold.startedAt.toISOString()}. The backup is of ${hold.restoredTo.toISOString()}.`,
    ...services.map((service) => `  ${lineOf(service, perMinute)}`),
    ...(giftCards === 0 ? [] : [`  Gift cards: not proven, ${giftCards} payments to compare by hand.`]),
    `Operations without an outcome: ${undecided}.`,
    ...(unsent === 0
      ? []
      : [
          `Payments that were not sent before the backup: ${unsent}. Look for each at its provider before the end.`,
        ]),
    `Reports that are not booked yet: ${reports}. Open differences: ${differences}.`,
    'The database lacks payments that were created after the backup, so no comparison finds them.',
    'Their clients repeat the requests after the hold, under the same idempotency keys.',
  ];
}

function lineOf(service: ProvedService, perMinute: number): string {
  const { displayName, merchantAccountId, state, compared, untold, left } = service;
  const name = `${displayName} of ${merchantAccountId}`;
  const unknown = untold === 0 ? '' : ` The provider does not know ${untold} more.`;
  if (state === 'unproven') return `${name}: not proven, ${left} payments to compare by hand.`;
  if (state === 'compared') return `${name}: ${compared} payments compared.${unknown}`;
  const time = perMinute === 0 ? ' PAYGRAPH_BOOKS_CALLS_PER_MINUTE is 0, so nothing is compared.' : '';
  return `${name}: ${compared} payments compared, ${left} left.${time}${unknown}`;
}
