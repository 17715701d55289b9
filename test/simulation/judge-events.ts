import { authenticationEvents } from './judge-authentication.ts';
import type { Evidence, Violation } from './judge.ts';
import { fraudEvents, isEndOfReview } from './judge-fraud.ts';
import { isCanceled, isSaleOf, reversalsOf, sameLines } from './judge-money.ts';
import type { FeedRow, HistoryRow, OperationRow, State } from './state.ts';

/**
 * Checks that each change has exactly its events and history entries, each once. Feeds must have no gap and keep
 * causal order.
 */
export function judgeEvents(evidence: Evidence): Violation[] {
  const { state, heads, exchanges, commits } = evidence;
  const { feed, events, waiting } = state;
  // The judges of disputes and of circuits check their events.
  const found = feed
    .filter(({ name }) => !/^(dispute|payment-service)\./.test(name))
    .map(({ name, target_id }) => `${name} ${target_id}`);
  const wanted = [
    ...state.operations.flatMap((operation) => {
      const lines = eventsOf(operation, evidence);
      return [...lines.accepted, ...lines.ended];
    }),
    ...state.operations.flatMap(reversalEvents),
    ...state.operations.flatMap(({ kind, transaction_id: of }) =>
      kind === 'release' ? [`transaction.late-authorization ${of}`] : [],
    ),
    ...state.transactions.flatMap(({ id, expired_at }) =>
      expired_at === null ? [] : [`transaction.expired ${id}`],
    ),
    ...state.transactions.flatMap((row) =>
      [...authenticationEvents(row, evidence), ...fraudEvents(row, evidence)].map(
        (name) => `${name} ${row.id}`,
      ),
    ),
  ];
  const broken = [
    !sameLines(wanted, found) && `told ${difference(found, wanted)}; not told ${difference(wanted, found)}`,
    ...gaps(feed, heads.sequences),
    events !== feed.length && `${events} events written, ${feed.length} in the feed`,
    waiting > 0 && `${waiting} still wait for the relay`,
    ...feed.map((row) => !isWhole(row) && `the payload of ${row.id} is not its event's: ${row.payload}`),
    ...state.transactions.map(({ id }) => disorder(id, evidence)),
    judgeHistory(state, commits),
    judgeSyncs(state, exchanges),
  ];
  return broken.flatMap((message) => (message ? [{ kind: 'events', message }] : []));
}

function gaps(feed: readonly FeedRow[], before: Readonly<Record<string, number>>): string[] {
  const next: Record<string, number> = { ...before };
  return feed.flatMap(({ merchant, sequence }) => {
    const wanted = (next[merchant] ?? 0) + 1;
    next[merchant] = sequence;
    return sequence === wanted ? [] : [`the feed of ${merchant} has ${sequence} in place ${wanted}`];
  });
}

type Names = readonly string[];

const ACCEPTED: Readonly<Record<OperationRow['kind'], Names>> = {
  // The events of a sale without a page. A pending authorisation publishes no event.
  authorize: ['transaction.capture-pending'],
  increase: ['transaction.increase-pending'],
  reauthorize: ['transaction.reauthorize-pending'],
  capture: ['capture.pending', 'transaction.capture-pending'],
  refund: ['refund.pending'],
  void: ['transaction.void-pending'],
  cancel: [],
  release: [],
  redeem: [],
  unredeem: [],
};

/** The events of an authorisation that waits for the buyer, by the kind of approval. */
const AWAITS: Readonly<Record<'redirect' | 'session' | 'voucher', Names>> = {
  redirect: ['transaction.authentication-pending'],
  session: ['transaction.authentication-pending'],
  // The merchant has the reference from the answer, and shows it.
  voucher: [],
};

const ENDED: Readonly<
  Record<
    Exclude<OperationRow['kind'], 'authorize' | 'cancel' | 'redeem' | 'unredeem'>,
    Readonly<Record<'succeeded' | 'declined' | 'failed', Names>>
  >
> = {
  increase: {
    succeeded: ['transaction.authorization-increased'],
    declined: ['transaction.increase-declined'],
    failed: ['transaction.increase-failed'],
  },
  reauthorize: {
    succeeded: ['transaction.reauthorized'],
    declined: ['transaction.reauthorize-declined'],
    failed: ['transaction.reauthorize-failed'],
  },
  capture: {
    succeeded: ['capture.succeeded', 'transaction.captured'],
    declined: ['capture.declined', 'transaction.capture-failed'],
    failed: ['capture.failed', 'transaction.capture-failed'],
  },
  refund: {
    succeeded: ['refund.succeeded'],
    declined: ['refund.declined'],
    failed: ['refund.failed'],
  },
  void: {
    succeeded: ['transaction.voided'],
    declined: ['transaction.void-declined'],
    failed: ['transaction.void-failed'],
  },
  release: {
    succeeded: ['transaction.late-authorization-released'],
    declined: ['transaction.late-authorization-kept'],
    failed: ['transaction.late-authorization-kept'],
  },
};

type Notified = { readonly accepted: Names; readonly ended: Names };

/** Lists the events of an operation: event names with the id of their record. */
function eventsOf(operation: OperationRow, evidence: Evidence): Notified {
  const { state, commits } = evidence;
  const { id, transaction_id, kind, status, accepted_at } = operation;
  const line = (name: string): string => `${name} ${name.startsWith('transaction.') ? transaction_id : id}`;
  const transaction = state.transactions.find((row) => row.id === transaction_id);
  const awaited = state.approvals.find((row) => row.operation_id === id)?.kind ?? 'challenge';
  const waits = awaited === 'challenge' ? null : AWAITS[awaited];
  const isSilent = kind === 'authorize' && !(transaction && isSaleOf(transaction)) && !waits;
  const all = accepted_at === null || isSilent ? [] : (waits ?? ACCEPTED[kind]);
  // A payment with a captured part is not reported as pending again.
  const isMore = kind === 'capture' && wasCaptured(operation, commits);
  const accepted = isMore ? all.filter((name) => name.startsWith('capture.')) : all;
  return {
    accepted: accepted.map(line),
    ended: status === 'pending' ? [] : endOf(operation, status, evidence).map(line),
  };
}

/** Lists the events of the parts that the provider took back. */
function reversalEvents(operation: OperationRow): Names {
  const { id, kind, transaction_id: of } = operation;
  const ofCapture = kind === 'capture' ? [`capture.reversed ${id}`] : [];
  const names =
    kind === 'refund' ? [`refund.reversed ${id}`] : [...ofCapture, `transaction.capture-reversed ${of}`];
  return reversalsOf(operation).flatMap(() => names);
}

const CAPTURED: ReadonlySet<string> = new Set(['settle_capture_succeeded', 'book_capture_elsewhere']);

/** Tells whether an earlier capture had succeeded when this capture was accepted. */
function wasCaptured({ id, transaction_id }: OperationRow, commits: Evidence['commits']): boolean {
  const at = commits.findIndex((one) => one.statement === 'accept_capture' && one.operationId === id);
  return commits
    .slice(0, Math.max(at, 0))
    .some((one) => CAPTURED.has(one.statement) && one.transactionId === transaction_id);
}

function endOf(operation: OperationRow, status: Ended, { state, commits }: Evidence): Names {
  const { kind, transaction_id: id } = operation;
  const transaction = state.transactions.find((row) => row.id === id);
  if (kind === 'cancel') {
    if (status !== 'succeeded') return [];
    if (transaction?.status === 'authorization_voided') return ['transaction.voided'];
    // An earlier end of the payment has published its own event.
    const canceled = state.operations.some((one) => one.transaction_id === id && isCanceled(one, state));
    return canceled ? ['transaction.failed'] : [];
  }
  if (kind === 'redeem' || kind === 'unredeem') return [];
  if (kind !== 'authorize') return ENDED[kind][status];
  // Then another service is called, or the cancel publishes the end.
  if (isCanceled(operation, state)) return [];
  const isLast = hasAcceptedLate(id, state)
    ? status === 'succeeded' || hasSettled(operation, commits)
    : operation.payment_service_id === transaction?.payment_service_id;
  if (!transaction || !isLast) return [];
  if (status !== 'succeeded') return [`transaction.${status}`];
  return [isSaleOf(transaction) ? 'transaction.captured' : 'transaction.authorized'];
}

type Ended = 'succeeded' | 'declined' | 'failed';

/** Tells whether a late approval of the payment was accepted, maybe at another service than the last one. */
const hasAcceptedLate = (transactionId: string, { operations }: State): boolean =>
  operations.some(
    ({ kind, origin, transaction_id: of }) =>
      kind === 'authorize' && origin === 'provider' && of === transactionId,
  );

/** Tells whether the refusal of an authorisation has ended its payment. */
const hasSettled = ({ id }: OperationRow, commits: Evidence['commits']): boolean =>
  commits.some(
    ({ statement, operationId }) =>
      operationId === id && /^settle_authorize_(declined|failed)$/.test(statement),
  );

function isWhole({ id, name, target_id, payload }: FeedRow): boolean {
  const reported = JSON.parse(payload) as { id: unknown; name: unknown; target: { id: unknown } };
  return reported.id === id && reported.name === name && reported.target.id === target_id;
}

/**
 * Checks the order of events: a payment before its follow-ups, an acceptance before its result, and captures before
 * refunds.
 */
function disorder(transactionId: string, evidence: Evidence): string | false {
  const { state } = evidence;
  const operations = state.operations.filter((row) => row.transaction_id === transactionId);
  const about = new Set([transactionId, ...operations.map(({ id }) => id)]);
  const lines = state.feed
    .filter(({ target_id }) => about.has(target_id))
    .map(({ name, target_id }) => `${name} ${target_id}`);
  const names = lines.map((line) => line.split(' ')[0] ?? '');
  const firstAt = (fits: RegExp): number => names.findIndex((name) => fits.test(name));
  const isBefore = (a: number, b: number): boolean => a < 0 || b < 0 || a < b;
  const byHand = operations.some(({ origin }) => origin === 'provider');
  const payment = firstAt(/^transaction\.(authorized|captured|declined|failed)$/);
  const review = firstAt(/^transaction\.review-/);
  const fine =
    isBefore(firstAt(/^transaction\.authentication-pending$/), firstAt(/^transaction\.authenticated$/)) &&
    isBefore(firstAt(/^transaction\.authenticated$/), payment) &&
    // A payment that is cancelled during its anti-fraud check is decided after the cancel.
    (names[payment] === 'transaction.failed' ||
      isBefore(firstAt(/^transaction\.anti-fraud-decided$/), payment)) &&
    isBefore(payment, review) &&
    isBefore(review, firstAt(/^capture\./)) &&
    isBefore(
      payment,
      firstAt(/^(capture|refund)\.|^transaction\.(void|capture-failed|increase|authorization-|reauthorize)/),
    ) &&
    // A refund by hand may be told, and the capture before it may not.
    (byHand || isBefore(firstAt(/^transaction\.captured$/), firstAt(/^refund\./))) &&
    operations.every((operation) => {
      const { accepted, ended } = eventsOf(operation, evidence);
      return (
        accepted.length === 0 || isBefore(lines.indexOf(accepted[0] ?? ''), lines.lastIndexOf(ended[0] ?? ''))
      );
    });
  return !fine && `transaction ${transactionId} is told as ${names.join(', ')}`;
}

const RESPONSE = 'payment-connector-response-transaction';

/**
 * Checks the history of each operation. Acceptance, end and manual resolution have one entry each. An unknown outcome
 * has at most one.
 */
function judgeHistory(state: State, commits: Evidence['commits']): string | false {
  const wanted = state.operations.flatMap((operation) => {
    const { id, kind, status, accepted_at } = operation;
    // A provider's own answer may tell of the cancel before the cancel ends.
    const isTold = commits.some(
      (one) => one.statement === 'settle_authorize_failed' && one.operationId === id,
    );
    const isEnded = status !== 'pending' && (isTold || !isCanceled(operation, state));
    return [
      ...(accepted_at ? [`${RESPONSE}-${nounOf(kind)}-pending ${id}`] : []),
      ...(isEnded ? [`${historyName(operation)} ${id}`] : []),
    ];
  });
  const byHand = commits
    .filter(({ statement }) => statement === 'claim_resolution')
    .map(({ operationId }) => `operation-resolved-by-hand ${operationId}`);
  const resolved = commits
    .filter(({ statement, operationId }) => isEndOfReview(statement) && follows(state, operationId))
    .map(({ operationId }) => `anti-fraud-review-resolved ${operationId}`);
  const takenBack = [
    ...state.operations.flatMap((operation) =>
      reversalsOf(operation).map(
        () =>
          `payment-connector-${operation.kind === 'refund' ? 'refund' : 'capture'}-reversed ${operation.id}`,
      ),
    ),
    ...commits
      .filter(({ statement }) => statement === 'expire_authorization')
      .map(({ operationId }) => `payment-connector-authorization-expired ${operationId}`),
  ];
  const all = state.history.filter(
    ({ operation_id, name }) => operation_id !== null && name !== WEBHOOK_PROCESSED,
  );
  const unknowns = all.filter(({ name }) => name === UNKNOWN).map(unknownLine);
  const found = all
    .filter(({ name }) => name !== UNKNOWN)
    .map(({ name, operation_id }) => `${name} ${operation_id ?? ''}`);
  if (new Set(unknowns).size < unknowns.length) return `unknown twice: ${unknowns.join(', ')}`;
  const late = state.operations.flatMap(({ id, kind }) =>
    kind === 'release' ? [`payment-connector-late-authorization ${id}`] : [],
  );
  const due = [...wanted, ...byHand, ...resolved, ...takenBack, ...late];
  return !sameLines(due, found) && `noted ${difference(found, due)}; not noted ${difference(due, found)}`;
}

/** An outcome is unknown once before the provider's acceptance, and once after the end of the time to decide. */
const unknownLine = ({ operation_id, cause }: HistoryRow): string =>
  `${cause === 'undecided' ? 'undecided' : 'unknown'} ${operation_id ?? ''}`;

/** Tells whether an operation follows the end of a review, and did not exist before. */
const follows = ({ operations }: State, id: string): boolean =>
  operations.some((one) => one.id === id && one.kind !== 'authorize');

const UNKNOWN = 'payment-connector-outcome-unknown';
/** The judge of successes taken back compares these with the sent webhooks. */
const WEBHOOK_PROCESSED = 'payment-connector-transaction-webhook-processed';

const OF_GIFT_CARDS = { redeem: 'redemption', unredeem: 'reversal', refund: 'refund' } as const;

function historyName({ kind, status, redemption_id: redemption }: OperationRow): string {
  if (redemption !== null && (kind === 'redeem' || kind === 'unredeem' || kind === 'refund'))
    return `gift-card-${OF_GIFT_CARDS[kind]}-${status === 'succeeded' ? status : 'failed'}`;
  if (kind === 'authorize' && status === 'declined') return `${RESPONSE}-declined`;
  return `${RESPONSE}-${nounOf(kind)}-${status}`;
}

/** Names a kind as the history does. */
const nounOf = (kind: OperationRow['kind']): string => NOUNS[kind] ?? kind;

const NOUNS: Readonly<Partial<Record<OperationRow['kind'], string>>> = {
  authorize: 'authorization',
  increase: 'authorization-increment',
  reauthorize: 'reauthorization',
};

/** Checks that each answered sync has left a history entry. A sync without an answer may have left one. */
function judgeSyncs({ history }: State, exchanges: Evidence['exchanges']): string | false {
  const noted = history.filter(({ name }) => name.startsWith('transaction-sync')).length;
  const syncs = exchanges.filter(({ requested }) => requested.kind === 'sync' && !requested.stranger);
  const heard = syncs.filter(({ heard: { kind } }) => kind === 'synced').length;
  const lost = syncs.filter(({ heard: { kind } }) => kind === 'lost').length;
  return (noted < heard || noted > heard + lost) && `${noted} syncs noted, ${heard} heard, ${lost} lost`;
}

function difference(a: readonly string[], b: readonly string[]): string {
  const rest = [...b];
  const left = a.filter((line) => {
    const at = rest.indexOf(line);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return left.join(', ') || 'nothing else';
}
