import { DUPLICATE, type Entry } from './books.ts';
import { refusalOf } from './judge-authentication.ts';
import { allowanceOf, isReal, placeOf, type ServiceKind } from './harness.ts';
import { isAcceptedLate, isReleasedLate, listedOf } from './elsewhere/judge.ts';
import type { Evidence, Violation } from './judge.ts';
import type { OperationRow, ReversalRow, State, TransactionRow } from './state.ts';

/** Checks that each operation has one effect, that limits hold, and that ledger, columns and books agree. */
export function judgeMoney(evidence: Evidence): Violation[] {
  const { state, books } = evidence;
  const { entries } = books;
  const operations = new Map(state.operations.map((row) => [row.id, row]));
  const byKey = Map.groupBy(entries, ({ key }) => key);
  const strays = entries.flatMap(({ key, byHand }) =>
    byHand === undefined && operations.get(key)?.redemption_id !== null ? [key] : [],
  );
  return [
    ...[...new Set(strays)].map((key) =>
      money(`a provider has work under ${key}, which is no operation of ours`),
    ),
    ...state.operations
      .filter(({ redemption_id: redemption, origin }) => redemption === null && origin === 'requested')
      .flatMap((operation) => judgeOperation(operation, byKey.get(operation.id) ?? [], evidence).map(money)),
    ...state.transactions.flatMap((row) =>
      judgeTransaction(row, booksOf(row, state, entries)).map((what) =>
        money(`transaction ${row.id}: ${what}`),
      ),
    ),
    ...judgeLedger(state),
    ...judgeDuplicates(evidence).map(money),
  ];
}

/** Checks that no other service was tried after a payment that a provider takes for a duplicate. */
function judgeDuplicates({ state, books }: Evidence): string[] {
  const duplicates = books.entries.filter(({ verb, code }) => verb === 'authorize' && code === DUPLICATE);
  return duplicates.flatMap(({ key }) => {
    const operation = state.operations.find((one) => one.id === key);
    const row = state.transactions.find(({ id }) => id === operation?.transaction_id);
    const isLast = row?.payment_service_id === operation?.payment_service_id;
    return isLast ? [] : [`the duplicate ${key} was tried at another service`];
  });
}

const money = (message: string): Violation => ({ kind: 'money', message });

/** Checks that an operation's status equals the provider's work under its key, done once. */
function judgeOperation(operation: OperationRow, entries: readonly Entry[], evidence: Evidence): string[] {
  const { services, resolved, state } = evidence;
  const { id, kind, status, amount } = operation;
  const service = services.get(operation.payment_service_id);
  const name = `operation ${id}`;
  if (entries.length > 1) return [`${name}: the provider was made to do it ${entries.length} times`];
  const [entry] = entries;
  if (isAcceptedLate(operation, state)) return [];
  if (isOfGiftCardsAlone(operation, state)) return entry ? [`${name} was asked of ${entry.place}`] : [];
  const broken = [
    entry && service && entry.place !== placeOf(service) && `${name} was asked of ${entry.place}`,
    entry &&
      entry.verb !== (kind === 'release' ? 'cancel' : kind) &&
      `${name} is a ${kind}, and a ${entry.verb} was asked for`,
    entry && entry.request.amount !== amount && `${name} is of ${amount}, asked for ${entry.request.amount}`,
    status === 'succeeded' &&
      entry?.result !== 'approved' &&
      !(!entry && isDoneByLooking(kind, service)) &&
      !isReleasedBefore(operation, evidence) &&
      `${name} succeeded, the books say ${reported(entry)}`,
    (status === 'declined' || status === 'failed') &&
      entry?.result === 'approved' &&
      !(entry.released && hasCancel(operation, state)) &&
      !isReleasedLate(operation, state) &&
      !isTakenBack(entry) &&
      !isOfNothing(entry) &&
      `${name} is ${status}, the books say ${reported(entry)}`,
    // Without an answer of the provider, only a person, a cancel or a lost request ends an operation.
    // The buyer's authentication and gift cards also end an operation before the call.
    status !== 'pending' &&
      !entry &&
      !resolved.has(id) &&
      !isCanceled(operation, state) &&
      !operation.unsent &&
      !refusalOf(operation, evidence) &&
      !(operation.error_code !== null && NEVER_SEEN.has(operation.error_code)) &&
      !isRefusedBefore(operation, service) &&
      !isDoneByLooking(kind, service) &&
      `${name} is ${status}, and the provider never saw the request`,
    status === 'declined' &&
      entry?.result === 'error' &&
      `${name} is declined, the books say ${reported(entry)}`,
  ];
  return broken.flatMap((what) => (what ? [what] : []));
}

/** Tells whether nothing is left of an operation, so that an unknown outcome may end as a failure. */
const isTakenBack = ({ expired, reversed, request: { amount } }: Entry): boolean =>
  expired || (amount > 0 && reversed === amount);

/** Tells whether a cancel met a payment that held nothing, so that its success and its failure mean the same. */
const isOfNothing = ({ verb, paymentId }: Entry): boolean => verb === 'cancel' && paymentId === 'none';

/**
 * Tells whether a connector has refused an operation before its provider. Some accounts at Adyen take one capture only.
 * PayPal cannot express some amounts. A look at a captured payment at Braintree ends a void.
 */
function isRefusedBefore(
  { kind, error_code: code, amount }: OperationRow,
  service: ServiceKind | undefined,
): boolean {
  if (service === 'real-adyen') return kind === 'capture' && code === 'invalid_operation';
  if (service === 'real-braintree') return kind === 'void' && code === 'unexpected_state';
  return service === 'real-paypal' && code === 'invalid_amount' && amount % 100 !== 0;
}

/**
 * PayPal has no request that cancels an order. A look that finds nothing held is all that a cancel needs. A look at a closed payment
 * at Mollie ends a cancel or a capture that came late.
 */
const isDoneByLooking = (kind: string, service: ServiceKind | undefined): boolean =>
  DONE_BY_LOOKING[kind]?.some((each) => each === service) === true;

const DONE_BY_LOOKING: Readonly<Record<string, readonly ServiceKind[]>> = {
  cancel: ['real-paypal', 'real-mollie'],
  release: ['real-paypal', 'real-mollie'],
  capture: ['real-mollie'],
};

/**
 * The failures without a request for the payment. It never left, or the provider refused the account or its access token before.
 */
const NEVER_SEEN: ReadonlySet<string> = new Set([
  ...['service_network_error', 'service_rate_limit', 'invalid_service_credentials'],
  ...['insufficient_service_permissions', 'invalid_service_configuration'],
]);

/**
 * Tells whether a payment was released before a request of ours. Real providers refuse the request, and say that the payment is
 * released. A hand releases a payment, or its cancel does before the release of a late approval.
 */
function isReleasedBefore(
  { kind, transaction_id: of }: OperationRow,
  { books: { entries }, state: { operations } }: Pick<Evidence, 'books' | 'state'>,
): boolean {
  if (kind !== 'void' && kind !== 'cancel' && kind !== 'release') return false;
  const ours = new Set(operations.flatMap((one) => (one.transaction_id === of ? [one.id] : [])));
  const payments = paymentsUnder(entries, ours);
  return entries.some(
    ({ verb, place, result, byHand, paymentId }) =>
      paymentId !== 'none' &&
      payments.has(paymentId) &&
      ((verb === 'void' && byHand?.isOfRest === false) ||
        (kind === 'release' && verb === 'cancel' && result === 'approved' && isReal(place))),
  );
}

const reported = (entry: Entry | undefined): string => (entry ? entry.result : 'nothing');

/** Tells whether gift cards pay alone, so that no provider is called for the rest. */
const isOfGiftCardsAlone = ({ transaction_id: of }: OperationRow, { transactions }: State): boolean =>
  transactions.some(({ id, method }) => id === of && method === 'gift-card');

/** Tells whether the authorisation also captures. A payment under review is only authorised. */
export const isSaleOf = ({ intent, anti_fraud_decision: decision }: TransactionRow): boolean =>
  intent === 'capture' && decision !== 'review';

/** Tells whether the cancel of its payment has ended an authorisation. */
export const isCanceled = (operation: OperationRow, state: State): boolean =>
  operation.kind === 'authorize' &&
  operation.status === 'failed' &&
  operation.error_code === 'canceled' &&
  hasCancel(operation, state);

/** Tells whether a cancel of its payment has succeeded. An authorisation may have failed for another reason before. */
const hasCancel = ({ transaction_id: of }: OperationRow, { operations }: State): boolean =>
  operations.some(
    ({ kind, status, transaction_id: id }) => kind === 'cancel' && status === 'succeeded' && id === of,
  );

/** The sums of a payment at the providers. */
type Sums = {
  readonly authorized: number;
  /** The part of the authorised amount that increases added. */
  readonly increased: number;
  readonly authorizations: number;
  readonly captured: number;
  readonly refunded: number;
  readonly voids: number;
  /** The parts that the providers took back. The amounts above no longer count them. */
  readonly captureReversed: number;
  readonly refundReversed: number;
  /** True if a hand moved money, and if it moved more than was left. */
  readonly isByHand: boolean;
  readonly hasExcess: boolean;
};

/** Lists the payments at the providers that entries under these keys belong to. */
const paymentsUnder = (
  entries: readonly Entry[],
  keys: { readonly has: (key: string) => boolean },
): ReadonlySet<string> =>
  new Set(entries.flatMap(({ key, paymentId }) => (keys.has(key) ? [paymentId] : [])));

function booksOf({ id }: TransactionRow, state: State, entries: readonly Entry[]): Sums {
  const { operations } = state;
  const listed = listedOf(state);
  const ours = new Map(
    operations.flatMap((one) => (one.transaction_id === id ? [[one.id, one.status]] : [])),
  );
  const releasedLate = new Set(operations.map(({ releases_id: of }) => of));
  // Entries under our keys, or on our payments under any key.
  const payments = paymentsUnder(entries, ours);
  // An authorisation that was approved after its refusal, and released, holds nothing that a hand can void.
  const refusedLate = new Set(
    entries.flatMap(({ key, paymentId }) =>
      releasedLate.has(key) && ours.get(key) !== 'succeeded' ? [paymentId] : [],
    ),
  );
  // An authorisation released before its answer never counted. The release of an answered one counts as its void.
  const done = entries.filter((entry) => {
    const { key, paymentId, result, released, verb, byHand } = entry;
    return (
      result === 'approved' &&
      !(verb === 'void' && byHand !== undefined && refusedLate.has(paymentId)) &&
      (ours.has(key) || payments.has(paymentId)) &&
      !listed.has(entry.id) &&
      (!(released || isTakenBack(entry) || releasedLate.has(key)) || ours.get(key) === 'succeeded')
    );
  });
  const sum = (fits: (entry: Entry) => boolean): number =>
    done.filter(fits).reduce((total, { request }) => total + request.amount, 0);
  const reversed = (fits: (entry: Entry) => boolean): number =>
    done.filter(fits).reduce((total, entry) => total + entry.reversed, 0);
  const isCapture = ({ verb, request }: Entry): boolean => verb === 'capture' || request.capture === true;
  const isRefund = ({ verb }: Entry): boolean => verb === 'refund';
  return {
    authorized: sum(({ verb }) => verb === 'authorize' || verb === 'increase'),
    increased: sum(({ verb }) => verb === 'increase'),
    authorizations: done.filter(({ verb }) => verb === 'authorize').length,
    captured: sum(isCapture) - reversed(isCapture),
    refunded: sum(isRefund) - reversed(isRefund),
    captureReversed: reversed(isCapture),
    refundReversed: reversed(isRefund),
    voids: done.filter((entry) => (entry.verb === 'void' && !isOfRest(entry, done)) || entry.released).length,
    isByHand: done.some(({ byHand }) => byHand !== undefined),
    // A listed increase is not in the sums, and a capture of it is.
    hasExcess:
      entries.some((entry) => payments.has(entry.paymentId) && listed.has(entry.id)) ||
      done.some(({ byHand }) => byHand?.isExcess === true),
  };
}

/** Tells whether a void released what a capture of a hand had left. A real provider takes such a void of ours, too. */
const isOfRest = ({ byHand, place, paymentId }: Entry, done: readonly Entry[]): boolean =>
  byHand?.isOfRest ??
  (isReal(place) &&
    done.some((one) => one.verb === 'capture' && one.byHand !== undefined && one.paymentId === paymentId));

function judgeTransaction(row: TransactionRow, books: Sums): string[] {
  const {
    authorized,
    increased,
    authorizations,
    captured,
    refunded,
    voids,
    captureReversed,
    refundReversed,
    hasExcess,
    isByHand,
  } = books;
  const allowance = allowanceOf(row.merchant_account_id, authorized);
  const broken = [
    authorizations > 1 && `authorised ${authorizations} times`,
    !hasExcess &&
      captured > authorized + allowance &&
      `captured ${captured} of ${authorized} and ${allowance}`,
    !hasExcess && refunded > captured + captureReversed && `refunded ${refunded} of ${captured}`,
    voids > 1 && `voided ${voids} times`,
    voids > 0 && captured + captureReversed > 0 && `voided beside a capture of ${captured}`,
    row.authorized_amount !== authorized && `says authorised ${row.authorized_amount}, really ${authorized}`,
    row.increased_amount !== increased && `says increased ${row.increased_amount}, really ${increased}`,
    row.captured_amount !== captured && `says captured ${row.captured_amount}, really ${captured}`,
    row.refunded_amount !== refunded && `says refunded ${row.refunded_amount}, really ${refunded}`,
    row.capture_reversed_amount !== captureReversed &&
      `says reversed ${row.capture_reversed_amount} of captures, really ${captureReversed}`,
    row.refund_reversed_amount !== refundReversed &&
      `says reversed ${row.refund_reversed_amount} of refunds, really ${refundReversed}`,
    row.method !== 'gift-card' &&
      row.expired_at === null &&
      (row.status === 'authorization_voided') !== voids > 0 &&
      `is ${row.status} with ${voids} voids`,
    // A capture by hand may count before an increase, and beside a capture that is refused later.
    !isByHand &&
      row.over_capture_allowance > allowance &&
      `allows ${row.over_capture_allowance} beyond ${authorized}`,
  ];
  return broken.flatMap((what) => (what ? [what] : []));
}

/**
 * Checks the ledger. Each successful operation has an entry of its kind and amount. A sale has two. A re-authorisation
 * has none, because it moves no money. A cancel that
 * released money has a void. Each part that the provider took back has an entry of its own, and so has an expiry.
 */
function judgeLedger({ ledger, operations, transactions }: State): Violation[] {
  const line = (id: string, kind: string, amount: number): string => `${id} ${kind} ${amount}`;
  const byId = new Map(transactions.map((row) => [row.id, row]));
  const wanted = operations
    .filter(({ status }) => status === 'succeeded')
    .flatMap(({ id, kind, amount, transaction_id, redemption_id }) => {
      const row = byId.get(transaction_id);
      if (kind === 'reauthorize' || kind === 'release') return [];
      if (kind === 'cancel') return row?.status === 'authorization_voided' ? [line(id, 'void', amount)] : [];
      if (redemption_id !== null) return [line(id, kind === 'refund' ? 'gift_card_refund' : kind, amount)];
      const isSale = kind === 'authorize' && row !== undefined && isSaleOf(row);
      return isSale ? [line(id, kind, amount), line(id, 'capture', amount)] : [line(id, kind, amount)];
    });
  const reversed = operations.flatMap((operation) =>
    reversalsOf(operation).map(({ amount }) =>
      line(operation.id, operation.kind === 'refund' ? 'refund_reversal' : 'capture_reversal', amount),
    ),
  );
  const expiries = ledger.filter(({ kind }) => kind === 'expire');
  const expired = transactions.flatMap((row) =>
    row.expired_at === null ? [] : expiryOf(row, operations, expiries),
  );
  // The judge of disputes checks their entries.
  const found = ledger
    .filter(({ kind }) => !kind.startsWith('dispute_'))
    .map(({ operation_id, kind, amount }) => line(operation_id, kind, amount));
  wanted.push(
    ...reversed,
    ...expired.map(({ operation_id, amount }) => line(operation_id, 'expire', amount)),
  );
  return sameLines(wanted, found)
    ? []
    : [{ kind: 'ledger', message: `has ${found.join(', ')}; wanted ${wanted.join(', ')}` }];
}

/** Lists the parts of an operation that the provider took back. */
export const reversalsOf = ({ reversals }: OperationRow): readonly ReversalRow[] => reversals ?? [];

type LedgerRow = State['ledger'][number];

/** Finds the entry of an expiry: the authorised amount without the captures before. */
function expiryOf(
  { id, authorized_amount: authorized, captured_amount: captured }: TransactionRow,
  operations: readonly OperationRow[],
  expiries: readonly LedgerRow[],
): LedgerRow[] {
  const mine = operations.filter((one) => one.transaction_id === id);
  const authorisation = mine.find(({ kind, status }) => kind === 'authorize' && status === 'succeeded');
  const entry = expiries.find(({ operation_id }) => operation_id === authorisation?.id);
  const reversed = mine
    .filter(({ kind }) => kind === 'capture')
    .reduce((sum, { reversed_amount }) => sum + reversed_amount, 0);
  // A reversal may come before the expiry or after it.
  const [least, most] = [authorized - captured - reversed, authorized - captured];
  if (!entry)
    return least < 0
      ? []
      : [
          {
            transaction_id: id,
            operation_id: authorisation?.id ?? id,
            kind: 'expire',
            amount: most,
          },
        ];
  return entry.amount >= least && entry.amount <= most ? [entry] : [];
}

/** Tells whether two lists hold the same lines, in any order. */
export const sameLines = (a: readonly string[], b: readonly string[]): boolean =>
  JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted());
