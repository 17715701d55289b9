import type { Entry } from './books.ts';
import type { Evidence, Violation } from './judge.ts';
import type { Commit } from './stage.ts';
import type { OperationRow, TransactionRow } from './state.ts';

/**
 * Checks the changes of authorisations. Each increase names the total that the provider's books then show. No change
 * reaches a voided payment. Changes and releases begin one after the other. A change begins before the first capture, and no
 * capture begins beside a re-authorisation. Only a successful re-authorisation renews a payment.
 */
export function judgeChanges({ state, books, commits }: Evidence): Violation[] {
  const payments = Map.groupBy(
    books.entries.filter(({ result }) => result === 'approved'),
    ({ place, paymentId }) => `${place} ${paymentId}`,
  );
  const atProviders = [...payments.values()].flatMap(judgePayment);
  const here = state.transactions.flatMap((row) => [
    ...judgeClaims(row.id, commits),
    ...judgeRenewal(row, state.operations),
  ]);
  return [
    ...atProviders.map((message): Violation => ({ kind: 'money', message })),
    ...here.map((message): Violation => ({ kind: 'status', message })),
  ];
}

/** Walks through the approved work on a payment, in the order of arrival. */
function judgePayment(entries: readonly Entry[]): string[] {
  let authorized = 0;
  let voidedBy: string | null = null;
  return entries.flatMap(({ key, verb, request, byHand }) => {
    if (verb === 'authorize' || verb === 'increase') authorized += request.amount;
    if (verb === 'void') voidedBy = key;
    if (byHand || (verb !== 'increase' && verb !== 'reauthorize')) return [];
    const broken = [
      voidedBy !== null && `the ${verb} ${key} came after the void ${voidedBy}`,
      verb === 'increase' &&
        request.total_amount !== authorized &&
        `the increase ${key} asked for ${request.total_amount ?? 0} of ${authorized}`,
      verb === 'reauthorize' &&
        request.amount !== authorized &&
        `the re-authorisation ${key} is of ${request.amount} of ${authorized}`,
    ];
    return broken.flatMap((what) => (what ? [what] : []));
  });
}

/** Checks the renewal of a payment. The time of a renewal decides which expiry counts. */
function judgeRenewal(row: TransactionRow, operations: readonly OperationRow[]): string[] {
  const isRenewed = operations.some(
    ({ transaction_id: of, kind, status }) =>
      of === row.id && kind === 'reauthorize' && status === 'succeeded',
  );
  return (row.reauthorized_at !== null) === isRenewed
    ? []
    : [`transaction ${row.id} says renewed ${row.reauthorized_at ?? 'never'}, really ${String(isRenewed)}`];
}

const CHANGE = /^claim_(increase|reauthorize)$/;
const RENEWAL = 'claim_reauthorize';
const CAPTURE = 'claim_capture';
const RIVAL = /^claim_(increase|reauthorize|void|cancel|capture)$/;
const REFUSED = /^settle_\w+_(declined|failed)$/;
const CHANGED = /^settle_(increase|reauthorize)_succeeded$/;

/**
 * Walks through the commits of a payment. No change begins beside another one, or beside a release or a capture. Nor the reverse,
 * except that a capture may begin beside an increase.
 */
function judgeClaims(transactionId: string, commits: readonly Commit[]): string[] {
  const open = new Map<string, string>();
  return commits.flatMap(({ transactionId: of, statement, operationId }) => {
    if (of !== transactionId) return [];
    if (REFUSED.test(statement) || CHANGED.test(statement)) open.delete(operationId);
    if (!RIVAL.test(statement)) return [];
    const [beside] = [...open.values()].filter((one) => clash(statement, one));
    open.set(operationId, statement);
    return beside === undefined ? [] : [`${statement} of ${operationId} came beside ${beside}`];
  });
}

/** Tells whether an operation may not begin beside an open one. A release or a capture that succeeded stays open. */
const clash = (begun: string, open: string): boolean =>
  CHANGE.test(begun) || (begun === CAPTURE ? open === RENEWAL : CHANGE.test(open));
