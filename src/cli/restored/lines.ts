import type { HoldDoubt, HoldProgress, HoldReason, ProvedService } from '../../modules/transactions/index.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';

/** Returns the sentence for a reason against the end of a hold. */
export const reasonIn = ({ doubt, count }: HoldReason): string => AGAINST[doubt](count);

const AGAINST: Readonly<Record<HoldDoubt, (count: number) => string>> = {
  unknown: (count) =>
    `Operations have no outcome yet: ${count}. Reconciliation asks their providers. Resolve the others with "resolveOperation". --anyway leaves them open.`,
  comparing: () =>
    `Payments are not compared yet. Look at the progress with "${howToRun('restored')}". --anyway ends the hold before the end of the comparison.`,
  reports: (count) =>
    `Reports of the comparison are not booked yet: ${count}. Try again soon. A report may wait for an operation without an outcome: resolve that with "resolveOperation". --anyway leaves them to the usual loop.`,
  differences: (count) =>
    `Differences are open: ${count}. Adopt or dismiss each in the dashboard or with adoptDifference. --anyway leaves them open.`,
  undecided: (count) =>
    `Operations are accepted by their providers, and not decided: ${count}. Wait for the decisions, or add --accept-undecided. Reconciliation then goes on asking.`,
  unanswered: (count) =>
    `Payments could not be compared, because their providers gave no answer: ${count}. Compare them by hand, then add --accept-unanswered. --ask-again asks about each at once.`,
  unproven: (count) =>
    `Some providers tell no payment as a whole. Compare their payments by hand: ${count}. Then add --accept-unproven.`,
};

/** Returns the line about a reason that the operator accepted at the end of a hold. */
export const acceptedIn = ({ doubt, count }: HoldReason): string => `Accepted: ${LEFT[doubt]}, ${count}.`;

const LEFT: Readonly<Record<HoldDoubt, string>> = {
  unknown: 'operations without an outcome',
  comparing: 'payments that were not compared',
  reports: 'reports that are not booked',
  differences: 'open differences',
  undecided: 'operations that their providers accepted and have not decided',
  unanswered: 'payments whose providers gave no answer',
  unproven: 'payments whose providers tell no payment as a whole',
};

/** Returns the state of a hold in lines. `perMinute`: the calls of each payment service. */
export function linesOf(progress: HoldProgress | null, perMinute: number): readonly string[] {
  if (!progress) return ['Payments are not held back.'];
  const { hold, unknown, services, giftCards, reports, differences } = progress;
  return [
    `Payments are held back since ${hold.startedAt.toISOString()}. The backup is of ${hold.restoredTo.toISOString()}.`,
    ...services.flatMap((service) => [`  ${lineOf(service, perMinute)}`, ...unansweredIn(service)]),
    ...(giftCards === 0 ? [] : [`  Gift cards: not proven, ${giftCards} payments to compare by hand.`]),
    `Operations without an outcome: ${unknown}.`,
    ...waitingIn(progress),
    `Reports that are not booked yet: ${reports}. Open differences: ${differences}.`,
    'The database lacks payments that were created after the backup, so no comparison finds them.',
    'Their clients repeat the requests after the hold, under the same idempotency keys.',
  ];
}

const waitingIn = ({ undecided, undecidedSince, unsent }: HoldProgress): readonly string[] => [
  ...(undecided === 0
    ? []
    : [
        `Operations that their providers accepted and have not decided: ${undecided}, the first since ${undecidedSince?.toISOString()}.`,
      ]),
  ...(unsent === 0
    ? []
    : [
        `Payments that were not sent before the backup: ${unsent}. Look for each at its provider before the end.`,
      ]),
];

function lineOf(service: ProvedService, perMinute: number): string {
  const { displayName, merchantAccountId, state, compared, untold, left } = service;
  const name = `${displayName} of ${merchantAccountId}`;
  const unknown = untold === 0 ? '' : ` The provider does not know ${untold} more.`;
  if (state === 'unproven') return `${name}: not proven, ${left} payments to compare by hand.`;
  if (state === 'compared') return `${name}: ${compared} payments compared.${unknown}`;
  return `${name}: ${compared} payments compared, ${left} left. ${timeFor(left, perMinute)}${unknown}`;
}

function timeFor(left: number, perMinute: number): string {
  if (perMinute === 0) return 'PAYGRAPH_BOOKS_CALLS_PER_MINUTE is 0, so nothing is compared.';
  const minutes = Math.ceil(left / perMinute);
  return `At ${perMinute} a minute, that takes ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} or more.`;
}

const unansweredIn = ({ unanswered }: ProvedService): readonly string[] =>
  unanswered.map(({ cause, payments, nextAt }) => {
    const next =
      nextAt === null ? 'No try is left.' : `The next try is at ${new Date(nextAt).toISOString()}.`;
    return `    Not compared: ${payments}, ${WHY[cause]}. ${next}`;
  });

const WHY: Readonly<Record<ProvedService['unanswered'][number]['cause'], string>> = {
  timeout: 'because the provider did not answer in time',
  connection: 'because the connection to the provider broke',
  server_error: 'because the provider answered with a server error',
  unreadable: 'because the answer of the provider is not readable',
  fault: 'because of a fault in Paygraph, which the log tells',
};
