import type { Evidence, Violation } from './judge.ts';
import { isCanceled, sameLines } from './judge-money.ts';
import { threeDSOf } from './harness.ts';
import type { ApprovalRow, OperationRow, TransactionRow } from './state.ts';
import { outcomeOf } from './three-ds.ts';

/** Checks that no provider is called before a successful authentication. The first decision in time counts, once. */
export function judgeAuthentication(evidence: Evidence): Violation[] {
  const { state } = evidence;
  const broken = [
    ...state.transactions.flatMap((row) =>
      judgePayment(row, evidence).map((what) => `transaction ${row.id}: ${what}`),
    ),
    ...state.approvals.flatMap((row) =>
      judgeWords(row, evidence).map((what) => `the ${row.kind} of ${row.operation_id}: ${what}`),
    ),
  ];
  return broken.map((message) => ({ kind: 'authentication', message }));
}

/** The authentication of a payment's buyer, by scenario, services and the buyer's decision. */
export type Authenticated = {
  /** The authorisation that the authentication was for. */
  readonly operation: OperationRow;
  readonly isChallenge: boolean;
  /** Null while the challenge is open, `left` after its expiry. */
  readonly result: 'y' | 'a' | 'n' | 'r' | 'u' | 'timeout' | 'left' | null;
  readonly fallback: 'continue' | 'stop';
};

/** Returns the authentication of a payment, or null when none is due. */
export function authenticatedOf(row: TransactionRow, evidence: Evidence): Authenticated | null {
  const outcome = outcomeOf(row.external_identifier);
  if (!outcome || row.method !== 'card') return null;
  const started = authorisationsOf(row, evidence).find((one) => threeDSAt(one, evidence) !== null);
  if (!started) return null;
  const { authentication, challengeResult } = outcome;
  const known = { operation: started, fallback: threeDSAt(started, evidence) ?? 'continue' };
  if (authentication !== 'c') return { ...known, isChallenge: false, result: authentication };
  const reported = evidence.state.approvals.find((one) => one.operation_id === started.id)?.state;
  const result = reported === undefined ? null : RESULTS[reported];
  const isReported = result === 'y' || result === 'n';
  return { ...known, isChallenge: true, result: isReported ? (challengeResult ?? result) : result };
}

const RESULTS = { pending: null, approved: 'y', refused: 'n', expired: 'left', returned: null } as const;

/** Lists the authorisations in the order of their claims. */
function authorisationsOf({ id }: TransactionRow, { state, commits }: Evidence): readonly OperationRow[] {
  const order = commits.map(({ operationId }) => operationId);
  return state.operations
    .filter(({ kind, transaction_id: of }) => kind === 'authorize' && of === id)
    .toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

const threeDSAt = ({ payment_service_id: id }: OperationRow, { services }: Evidence) => {
  const kind = services.get(id);
  return kind ? threeDSOf(kind) : null;
};

/** Returns how an authorisation must end without its provider, or null when the provider must be called. */
export function refusalOf(
  operation: OperationRow,
  evidence: Evidence,
): { readonly status: 'declined' | 'failed'; readonly code: string } | null {
  const row = evidence.state.transactions.find(({ id }) => id === operation.transaction_id);
  const done = row ? authenticatedOf(row, evidence) : null;
  if (!done || done.operation.id !== operation.id) return null;
  switch (done.result) {
    case 'left':
      return { status: 'failed', code: 'incomplete_buyer_approval' };
    case 'n':
    case 'r':
      return { status: 'declined', code: 'failed_buyer_approval' };
    case 'u':
    case 'timeout':
      return done.fallback === 'stop' ? { status: 'declined', code: 'requires_buyer_authentication' } : null;
    default:
      return null;
  }
}

/** The indicators for a Visa card that the provider must receive. */
const INDICATORS = { y: '05', a: '06', u: '07' } as const;

function judgePayment(row: TransactionRow, evidence: Evidence): string[] {
  const { books, state, commits } = evidence;
  const done = authenticatedOf(row, evidence);
  const all = authorisationsOf(row, evidence);
  const from = done ? all.indexOf(done.operation) : all.length;
  const indicator = done?.result && done.result in INDICATORS ? done.result : null;
  const concludedAt = commits.findIndex(
    (one) => one.statement === 'conclude_challenge' && one.transactionId === row.id,
  );
  const broken = all.flatMap((operation, position) => {
    const { id, status, error_code: code } = operation;
    const refusal = refusalOf(operation, evidence);
    // A late approval was sent as the refused authorisation before.
    const entry = operation.origin === 'requested' ? books.entries.find(({ key }) => key === id) : undefined;
    const wanted =
      position >= from && indicator ? INDICATORS[indicator as keyof typeof INDICATORS] : undefined;
    const isEarly =
      position >= from && done?.isChallenge && (concludedAt < 0 || (entry?.after ?? 0) <= concludedAt);
    const isEnded = refusal && status !== 'pending' && !isCanceled(operation, state);
    return [
      refusal && entry && `${id} was sent to a provider after ${done?.result}`,
      entry && isEarly && `${id} was sent to a provider before the end of the challenge`,
      entry &&
        entry.request.three_d_secure?.['eci'] !== wanted &&
        `${id} was asked for with ${entry.request.three_d_secure?.['eci'] ?? 'nothing'}, not ${wanted ?? 'nothing'}`,
      isEnded &&
        (status !== refusal.status || code !== refusal.code) &&
        `${id} is ${status} with ${code}, not ${refusal.status} with ${refusal.code}`,
      position > from &&
        threeDSAt(operation, evidence) === 'stop' &&
        done?.result !== 'y' &&
        done?.result !== 'a' &&
        `went on to a service that stops with ${done?.result}`,
    ];
  });
  const steps = state.history
    .filter(({ transaction_id: id, name }) => id === row.id && name.startsWith(STEP))
    .map(({ name }) => name.slice(STEP.length));
  const due = done ? stepsOf(done, concludedAt >= 0) : [];
  return [
    ...broken.flatMap((what) => (what ? [what] : [])),
    ...(sameLines(steps, due)
      ? []
      : [`noted ${steps.join(', ')} of its authentication, not ${due.join(', ')}`]),
  ];
}

const STEP = 'three-d-secure-';

const isComplete = (result: Authenticated['result']): boolean => result === 'y' || result === 'a';

/** Returns the history of an authentication. */
function stepsOf({ isChallenge, result }: Authenticated, isConcluded: boolean): readonly string[] {
  const success = isComplete(result) ? ['success'] : [];
  const answered = (step: string): readonly string[] => [
    result === 'timeout' ? 'request-error' : step,
    ...success,
  ];
  if (!isChallenge) return ['preparation-request', ...answered('authentication-request')];
  const started = ['preparation-request', 'authentication-request'];
  return isConcluded ? [...started, ...answered('result-request')] : started;
}

/** Lists the event names for the authentication of a payment. */
export function authenticationEvents(row: TransactionRow, evidence: Evidence): readonly string[] {
  const done = authenticatedOf(row, evidence);
  if (!done) return [];
  const isConcluded = evidence.commits.some(
    (one) => one.statement === 'conclude_challenge' && one.transactionId === row.id,
  );
  const isNotified = isComplete(done.result) && (!done.isChallenge || isConcluded);
  return [
    ...(done.isChallenge ? ['transaction.authentication-pending'] : []),
    ...(isNotified ? ['transaction.authenticated'] : []),
  ];
}

/** Checks that the first decision in time counts, and that nothing happens without the buyer's decision. */
function judgeWords(row: ApprovalRow, { commits, books, state }: Evidence): string[] {
  const { operation_id: id, state: reported, kind, expires_at: expiresAt, decided_at: decidedAt } = row;
  const words = commits.filter((one) => one.statement.startsWith('buyer_') && one.operationId === id);
  const heard = words.map(({ statement }) => statement.slice('buyer_'.length));
  const isWord = reported === 'approved' || reported === 'refused';
  const approved = books.entries.some(({ key, result }) => key === id && result === 'approved');
  const operation = state.operations.find((one) => one.id === id);
  const isAtProvider = row.return_digest !== null;
  // In a client the buyer's approval counts only once the client has completed the payment.
  const isUncompleted = kind === 'session' && heard[0] === 'approved';
  const broken = [
    heard.length > 1 && `counted ${heard.join(', ')}`,
    isWord
      ? heard[0] !== reported && `is ${reported}, the buyer said ${heard[0]}`
      : heard.length > 0 && !isUncompleted && `is ${reported}`,
    (isWord || reported === 'returned') &&
      Date.parse(decidedAt ?? '') >= Date.parse(expiresAt) &&
      'counted a decision after its expiry',
    reported === 'expired' &&
      Date.parse(decidedAt ?? '') < Date.parse(expiresAt) &&
      'expired before its time',
    (kind === 'redirect' || kind === 'session') &&
      !isAtProvider &&
      approved &&
      reported !== 'approved' &&
      `is ${reported}, and the provider has approved it`,
    isAtProvider && isWord && `is ${reported}, which only the provider knows`,
    // The shop may have the money already when the voucher ends.
    reported === 'expired' &&
      kind !== 'voucher' &&
      !isAtProvider &&
      operation?.status === 'succeeded' &&
      'has ended, and the payment succeeded',
  ];
  return broken.flatMap((what) => (what ? [what] : []));
}
