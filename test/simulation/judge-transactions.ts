import type { Evidence, Violation } from './judge.ts';
import { isSaleOf } from './judge-money.ts';
import type { Commit } from './stage.ts';
import type { OperationRow, TransactionRow } from './state.ts';

/** Checks that each payment's status follows from its operations, and that no capture follows the final one. */
export function judgeTransactions({ state, commits }: Evidence): Violation[] {
  return state.transactions.flatMap((row) => {
    const operations = state.operations.filter((one) => one.transaction_id === row.id);
    const broken = [
      ...judgeStatus(row, operations),
      ...judgeClosing(row, operations, commits),
      ...judgeServices(operations),
    ];
    return broken.map((what): Violation => ({ kind: 'status', message: `transaction ${row.id}: ${what}` }));
  });
}

function judgeStatus(row: TransactionRow, operations: readonly OperationRow[]): string[] {
  const authorisation = currentAuthorisation(row, operations);
  if (!authorisation) return [`has no authorisation at ${row.payment_service_id}`];
  // A pending operation has a separate violation.
  if (operations.some(({ status }) => status === 'pending')) return [];
  const wanted = statusOf(row, authorisation, operations);
  const outcome = intentOutcomeOf(row, authorisation);
  return [
    ...(row.status === wanted ? [] : [`is ${row.status}, its operations say ${wanted}`]),
    ...(row.intent_outcome === outcome ? [] : [`says ${row.intent_outcome} of ${outcome}`]),
  ];
}

/** Returns the outcome of the intent. A held payment with the intent to capture still has its capture ahead. */
function intentOutcomeOf(row: TransactionRow, { status }: OperationRow): string {
  if (status !== 'succeeded') return 'failed';
  if (row.intent !== 'capture' || isSaleOf(row) || row.status === 'capture_succeeded') return 'succeeded';
  return row.status === 'authorization_voided' ? 'failed' : 'pending';
}

/** Finds the authorisation at the payment's current service. Each service is called at most once. */
function currentAuthorisation(row: TransactionRow, operations: readonly OperationRow[]) {
  const there = operations.filter(
    ({ kind, payment_service_id: service }) => kind === 'authorize' && service === row.payment_service_id,
  );
  // A late approval that was accepted comes after the refusal.
  return there.find(({ origin }) => origin === 'provider') ?? there[0];
}

function statusOf(
  row: TransactionRow,
  { status }: OperationRow,
  operations: readonly OperationRow[],
): string {
  if (status === 'declined') return 'authorization_declined';
  if (status === 'failed') return 'authorization_failed';
  // When gift cards pay alone, the payment method has no capture.
  const isCaptured = operations.some((one) => one.kind === 'capture' && one.status === 'succeeded');
  if (isSaleOf(row) || isCaptured) return 'capture_succeeded';
  // A cancel after the authorisation has released the authorisation.
  const isVoided = operations.some((one) => /void|cancel/.test(one.kind) && one.status === 'succeeded');
  return isVoided || row.expired_at !== null ? 'authorization_voided' : 'authorization_succeeded';
}

/** Checks the captures of a payment in commit order. No claim may follow a final capture that was not declined. */
function judgeClosing(
  row: TransactionRow,
  operations: readonly OperationRow[],
  commits: readonly Commit[],
): string[] {
  const byId = new Map(operations.map((one) => [one.id, one]));
  let closedBy: string | null = isSaleOf(row) ? row.id : null;
  const broken: string[] = [];
  for (const { statement, operationId } of commits.filter(({ transactionId: id }) => id === row.id)) {
    const isByReview = statement === 'review_accepted' && byId.get(operationId)?.kind === 'capture';
    if (statement === 'claim_capture' || isByReview) {
      if (closedBy !== null)
        broken.push(`capture ${operationId} was claimed after the last one, ${closedBy}`);
      if (byId.get(operationId)?.final === true) closedBy = operationId;
    }
    if (statement === 'expire_authorization') closedBy = operationId;
    const isRefusal = statement === 'settle_capture_declined' || statement === 'settle_capture_failed';
    if (isRefusal && closedBy === operationId) closedBy = null;
  }
  const isClosed = operations.some(
    ({ kind, status, final, origin }) =>
      kind === 'capture' && final && status === 'succeeded' && origin === 'requested',
  );
  const isSale = isSaleOf(row) && row.intent_outcome === 'succeeded';
  // A hand at the provider may release the rest, or capture all.
  const byHand = operations.some(({ origin }) => origin === 'provider');
  const mustBeClosed = isClosed || isSale || row.expired_at !== null;
  if (mustBeClosed && !row.capture_closed) broken.push('is still open after its last capture');
  const isAuthorised = row.status === 'authorization_succeeded' || row.status === 'capture_succeeded';
  if (!mustBeClosed && !byHand && isAuthorised && row.capture_closed)
    broken.push('is closed without a last capture');
  return broken;
}

/** Checks that each service has at most one authorisation, and that all but the last were certainly declined. */
function judgeServices(operations: readonly OperationRow[]): string[] {
  const authorisations = operations.filter(
    ({ kind, origin }) => kind === 'authorize' && origin === 'requested',
  );
  const services = new Set(authorisations.map((one) => one.payment_service_id));
  const open = operations
    .filter(({ kind }) => kind === 'authorize')
    .filter(({ status }) => status === 'pending' || status === 'succeeded');
  return [
    ...(services.size < authorisations.length ? ['called one service twice'] : []),
    ...(open.length > 1 ? [`has ${open.length} authorisations`] : []),
  ];
}
