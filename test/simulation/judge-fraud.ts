import { canHold, JUDGED, MERCHANTS } from './harness.ts';
import type { Evidence, Violation } from './judge.ts';
import { isCanceled, sameLines } from './judge-money.ts';
import type { OperationRow, TransactionRow } from './state.ts';

/**
 * Checks the order of checks and payments. No money is requested for an unchecked or rejected payment. The first
 * decision stands, and so does the end of a review.
 */
export function judgeFraud(evidence: Evidence): Violation[] {
  const { state, books, exchanges } = evidence;
  const judged = state.transactions.filter(isJudged);
  const ids = new Set(judged.map(({ id }) => id));
  const strays = books.checks.filter(({ key, headerKey }) => !ids.has(key) || headerKey !== key);
  const broken = [
    ...strays.map(
      ({ key, headerKey }) => `the anti-fraud service was called with ${key} and ${headerKey ?? 'nothing'}`,
    ),
    ...judged.flatMap((row) =>
      [
        ...judgeDecision(row, evidence),
        ...judgeReview(row, evidence),
        ...judgeNotices(row, evidence),
      ].flatMap((what) => (what ? [`transaction ${row.id}: ${what}`] : [])),
    ),
    ...state.transactions
      .filter((row) => !isJudged(row) && (row.anti_fraud_decision ?? row.fraud_review) !== null)
      .map(({ id }) => `transaction ${id} has an anti-fraud decision without a check`),
    ...exchanges.flatMap(({ requested, heard }) => {
      const row = judged.find(({ id }) => id === requested.transactionId);
      if (requested.decision === null || heard.kind !== 'answered' || !row) return [];
      return row.fraud_review === ENDS[requested.decision]
        ? []
        : [
            `${requested.decision} was answered, and the review of ${row.id} is ${row.fraud_review ?? 'none'}`,
          ];
    }),
  ];
  return broken.map((message) => ({ kind: 'fraud', message }));
}

const isJudged = ({ merchant_account_id: merchant }: TransactionRow): boolean =>
  merchant === MERCHANTS[JUDGED].id;

const ENDS = { accept: 'accepted', reject: 'rejected' } as const;

type Broken = readonly (string | false | undefined)[];

const operationsOf = ({ id }: TransactionRow, { state }: Evidence): readonly OperationRow[] =>
  state.operations.filter(({ transaction_id: of }) => of === id);

/** Returns the number of commits before a given commit of a payment, or null without such a commit. */
const committedAt = (
  { id }: TransactionRow,
  { commits }: Evidence,
  fits: (statement: string) => boolean,
): number | null => {
  const at = commits.findIndex((one) => one.transactionId === id && fits(one.statement));
  return at < 0 ? null : at + 1;
};

const writtenAt = (row: TransactionRow, evidence: Evidence): number | null =>
  committedAt(row, evidence, (statement) => statement === 'write_screening');

/**
 * Checks the decision: one of those that the anti-fraud service gave, stored before anything else happens, with its
 * consequences.
 */
function judgeDecision(row: TransactionRow, evidence: Evidence): Broken {
  const { state, books, commits } = evidence;
  const { id, anti_fraud_decision: decision } = row;
  const kept = commits
    .filter((one) => one.transactionId === id && one.statement.startsWith(KEPT))
    .map(({ statement }) => statement.slice(KEPT.length));
  const check = state.checks.find(({ transaction_id: of }) => of === id);
  const sent = books.checks.filter(({ key }) => key === id);
  const written = writtenAt(row, evidence);
  const isUnheard = check?.decision === 'error' && check.cause !== null;
  const isHeard = sent.some(({ heard }) => heard === (isUnheard ? null : check?.decision));
  const operations = operationsOf(row, evidence);
  const authorisation = operations.find(
    (one) => one.kind === 'authorize' && one.payment_service_id === row.payment_service_id,
  );
  const isRejected = row.status === 'authorization_declined' && row.error_code === REJECTED;
  const isOver = authorisation !== undefined && isCanceled(authorisation, state);
  return [
    kept.length > 1 && `was decided ${kept.length} times: ${kept.join(', ')}`,
    check &&
      check.decision !== (kept[0] ?? 'pending') &&
      `keeps ${check.decision} in place of ${kept[0] ?? 'none'}`,
    check &&
      check.decision !== 'pending' &&
      !isHeard &&
      `keeps ${check.decision}, which the service never decided`,
    decision !== (written === null ? 'pending' : kept[0]) &&
      `says ${decision ?? 'nothing'}, decided was ${kept[0] ?? 'nothing'}`,
    decision === 'reject' &&
      !isRejected &&
      !isOver &&
      `is ${row.status} with ${row.error_code ?? 'no error'}, and rejected`,
    operations.some((one) => one.error_code === REJECTED) &&
      decision !== 'reject' &&
      'ended as rejected, and was not',
    decision === 'pending' && authorisation?.status === 'succeeded' && 'was never judged',
    ...operations.map((one) => judgeOrder(one, { decision, written }, evidence)),
    !sameLines(notesOf(row, evidence, /^anti-fraud-decision/), written === null ? [] : [noteOf(decision)]) &&
      `noted ${notesOf(row, evidence, /^anti-fraud-decision/).join(', ') || 'nothing'} of ${decision ?? 'nothing'}`,
  ];
}

const KEPT = 'judged_';
const REJECTED = 'suspected_fraud';
const CANNOT_HOLD = 'unsupported_transaction';

type Judgement = { readonly decision: string | null; readonly written: number | null };

/**
 * Checks that no provider is asked for money before the check of the payment or after a rejection. Providers of gift
 * cards are included.
 */
function judgeOrder(
  { id, kind }: OperationRow,
  { decision, written }: Judgement,
  { books }: Evidence,
): string | false {
  if (kind !== 'authorize' && kind !== 'redeem') return false;
  const entry = [...books.entries, ...books.giftCards].find(({ key }) => key === id);
  if (!entry) return false;
  if (decision === 'reject') return `the ${kind} ${id} was asked of a provider although it was rejected`;
  const isFirst = written === null || entry.after < written;
  return isFirst && `the ${kind} ${id} was asked of a provider before it was judged`;
}

const noteOf = (decision: string | null): string => {
  if (decision === 'skipped') return 'anti-fraud-decision-skipped';
  return decision === 'error' || decision === 'exception'
    ? 'anti-fraud-decision-error'
    : 'anti-fraud-decision';
};

const notesOf = ({ id }: TransactionRow, { state }: Evidence, names: RegExp): readonly string[] =>
  state.history.filter((one) => one.transaction_id === id && names.test(one.name)).map(({ name }) => name);

/** Tells whether a statement has ended a review. */
export const isEndOfReview = (statement: string): boolean => /^review_(accepted|rejected)$/.test(statement);

/** Returns the end of a review and its consequences, or undefined for an open review. */
const endOf = ({ id }: TransactionRow, { commits }: Evidence) =>
  commits.filter((one) => one.transactionId === id && isEndOfReview(one.statement));

/**
 * Checks reviews. No capture precedes the acceptance. The consequences of the end take place. The columns show the
 * current state.
 */
function judgeReview(row: TransactionRow, evidence: Evidence): Broken {
  const { books, services } = evidence;
  const { anti_fraud_decision: decision, fraud_review: review, intent, status } = row;
  const ends = endOf(row, evidence);
  const [end] = ends;
  const operations = operationsOf(row, evidence);
  const isAuthorised = operations.some((one) => one.kind === 'authorize' && one.status === 'succeeded');
  const isOpened = decision === 'review' && isAuthorised;
  const stands =
    end?.statement.slice('review_'.length) ?? (status === 'authorization_voided' ? 'ended' : 'pending');
  const acceptedAt = committedAt(row, evidence, (statement) => statement === 'review_accepted');
  const keys = new Set(operations.map(({ id }) => id));
  const captures = books.entries.filter(
    ({ key, verb, request }) => keys.has(key) && (verb === 'capture' || request.capture === true),
  );
  const isHeld = decision === 'review' && intent === 'capture';
  const unfit = operations.filter(({ kind, payment_service_id: id }) => {
    const service = services.get(id);
    return kind === 'authorize' && isHeld && service && !canHold(service) && row.method !== 'gift-card';
  });
  const notHeld = operations.filter((one) => one.error_code === CANNOT_HOLD);
  const following = operations.find(({ id }) => id === end?.operationId);
  const hasAny = row.authorized_amount + row.gift_card_amount > 0;
  const due = stands === 'accepted' ? (intent === 'capture' ? 'capture' : null) : hasAny ? 'void' : null;
  return [
    ends.length > 1 && `its review was ended ${ends.length} times`,
    review !== (isOpened ? stands : null) &&
      `its review is ${review ?? 'none'}, not ${isOpened ? stands : 'none'}`,
    decision === 'review' &&
      captures.some(({ after }) => acceptedAt === null || after < acceptedAt) &&
      'was captured before its review was accepted',
    unfit.some(({ id }) => books.entries.some(({ key }) => key === id)) &&
      'was sent to a service that cannot hold it',
    notHeld.some((one) => !unfit.includes(one)) && 'was not sent to a service that could hold it',
    end &&
      following?.kind !== (due ?? 'authorize') &&
      `its review is followed by ${following?.kind ?? 'nothing'}`,
    end &&
      following?.kind === 'capture' &&
      (following.amount !== row.authorized_amount || !following.final) &&
      `captures ${following.amount} of ${row.authorized_amount} after its review`,
    notesOf(row, evidence, /^anti-fraud-review-resolved$/).length !== ends.length &&
      'has a history that differs from its review',
  ];
}

/** Checks that each accepted notice is stored and recorded. Each must be applied once or found to change nothing. */
function judgeNotices(row: TransactionRow, evidence: Evidence): Broken {
  const { state, taken } = evidence;
  const notices = state.notices.filter(({ check_key: key }) => key === row.id);
  const applied = notices.filter((one) => one.state === 'applied');
  const by = state.history.find(
    (one) => one.transaction_id === row.id && one.name === 'anti-fraud-review-resolved',
  )?.webhook_event_id;
  const notified = new Set(taken.filter(({ key }) => key === row.id).map(({ event }) => event));
  const kept = new Set(notices.map(({ notice }) => notice.comment));
  const noted = state.history.filter(
    (one) => one.transaction_id === row.id && one.name === 'anti-fraud-webhook',
  );
  return [
    ...notices.map(
      ({ state: stands, event_key: key }) =>
        !/applied|ignored/.test(stands) && `the notice ${key} is ${stands}`,
    ),
    ...applied.map(
      ({ event_key: key, notice }) =>
        (key !== by || row.fraud_review !== ENDS[notice.decision]) &&
        `the notice ${key} to ${notice.decision} was applied, and the review is ${row.fraud_review ?? 'none'} by ${by ?? 'another'}`,
    ),
    by != null &&
      notices.every(({ event_key: key }) => key !== by) &&
      `its review was ended by ${by}, which no notice reported`,
    [...notified].some((event) => !kept.has(event)) && `forgets what was told: ${[...notified].join(', ')}`,
    kept.size !== notices.length && `keeps ${notices.length} notices of ${kept.size}`,
    !sameLines(
      noted.map(({ webhook_event_id: key }) => key ?? ''),
      notices.map(({ event_key: key }) => key),
    ) && `noted ${noted.length} of ${notices.length} notices`,
  ];
}

/** Lists the event names for the anti-fraud check of a payment. */
export function fraudEvents(row: TransactionRow, evidence: Evidence): readonly string[] {
  const ends = endOf(row, evidence).map(
    ({ statement }) => `transaction.review-${statement.slice('review_'.length)}`,
  );
  return writtenAt(row, evidence) === null ? ends : ['transaction.anti-fraud-decided', ...ends];
}
