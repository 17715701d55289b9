import { later } from '../kit/agenda.ts';
import { refuseInvalid, refuseMissing } from './refusal.ts';
import { owe } from './webhooks.ts';
import {
  decimalsOf,
  globalIdOf,
  had,
  isTaken,
  refundedOf,
  statusOf,
  type Card,
  type Event,
  type Method,
  type Payment,
  type Refund,
  type Response,
  type Source,
  type Transaction,
  type World,
} from './world.ts';

/** The one who acts: a request with its key, or a person in the Control Panel. */
export type Actor = { readonly key: string | null; readonly source: Source };

export const byApi = (key: string | null | undefined): Actor => ({ key: key ?? null, source: 'API' });
export const BY_PERSON: Actor = { key: null, source: 'CONTROL_PANEL' };

/** Adds an event to a payment. */
export function happen(
  world: World,
  payment: Payment,
  status: string,
  more: Partial<Pick<Event, 'source' | 'response' | 'reason' | 'duplicateOf'>> = {},
): void {
  payment.events.push({
    ...{ status, at: world.now(), minor: payment.minor },
    ...{ source: 'API', response: null, reason: null, duplicateOf: null, ...more },
  });
}

/** Reads an amount of a request. Refuses another form than that of the currency, and nothing. */
export function readAmount(text: string, currency: string): number {
  const decimals = decimalsOf(currency);
  const form = decimals === 0 ? /^\d{1,10}$/ : /^\d{1,10}(\.\d{1,2})?$/;
  if (!form.test(text)) refuseInvalid('81503', 'Amount is an invalid format.');
  const minor = Math.round(Number(text) * 10 ** decimals);
  if (minor <= 0) refuseInvalid('81531', 'Amount must be greater than zero.');
  return minor;
}

export type Asked = {
  readonly method: Method;
  readonly merchantAccountId: string;
  readonly amount: string;
  readonly orderId: string | null;
  readonly isSale: boolean;
  readonly vaults: boolean;
};

const ORDER_ID_MAX = 255;

/** Makes a transaction. The issuer decides by the amount, as in Braintree's sandbox. */
export function pay(world: World, asked: Asked, { key, source }: Actor): Transaction {
  const { method, merchantAccountId, orderId, isSale } = asked;
  const currency =
    world.settings.merchantAccounts[merchantAccountId] ??
    refuseInvalid('91513', 'Merchant account ID is invalid.');
  if ((orderId?.length ?? 0) > ORDER_ID_MAX) refuseInvalid('91501', 'Order ID is too long.');
  const minor = readAmount(asked.amount, currency);
  if (!method.isMultiUse && method.isUsed)
    refuseInvalid('91564', 'Cannot use a single-use payment method more than once.');
  method.isUsed = method.isOfSandbox !== true;
  const made = newTransaction(world, {
    merchantAccountId,
    currency,
    orderId,
    minor,
    card: method.card,
    source,
  });
  const transaction: Transaction = { ...made, key, isSale, methodId: method.isMultiUse ? method.id : null };
  const original = duplicatedBy(world, transaction);
  world.transactions.set(transaction.id, transaction);
  if (original && world.settings.declinesRepeats === 'processor') {
    happen(world, transaction, 'PROCESSOR_DECLINED', { response: responseOf('2016', '94') });
    return transaction;
  }
  if (original) {
    const duplicateOf = world.settings.namesOriginal ? original : null;
    happen(world, transaction, 'GATEWAY_REJECTED', { reason: 'DUPLICATE', duplicateOf });
    return transaction;
  }
  if (world.waiting > 0) {
    world.waiting -= 1;
    return transaction;
  }
  decide(world, transaction);
  if (asked.vaults && had(transaction, 'AUTHORIZED')) transaction.methodId = store(world, method.card);
  if (isSale && had(transaction, 'AUTHORIZED')) submit(world, transaction, source);
  return transaction;
}

/** Lets the processor approve a payment that waits. */
export function approve(world: World, payment: Payment): void {
  happen(world, payment, 'AUTHORIZED', { response: responseOf('1000', '00') });
  if ('of' in payment || ('isSale' in payment && payment.isSale === true))
    submit(world, payment, payment.source);
}

type Given = Pick<Transaction, 'merchantAccountId' | 'currency' | 'orderId' | 'minor' | 'card' | 'source'>;

function newTransaction(world: World, given: Given): Transaction {
  const legacyId = world.newId();
  return {
    ...{ id: globalIdOf('transaction', legacyId), legacyId, createdAt: world.now(), events: [], ...given },
    orderIds: [{ at: world.now(), orderId: given.orderId }],
    ...{ key: null, isSale: false, parent: null, children: [], refunds: [], disputes: [] },
    ...{ methodId: null, capturedBy: null, reversedBy: null },
  };
}

/** Stores a card. Returns its name. */
export function store(world: World, card: Card): string {
  const id = globalIdOf('paymentmethod_cc', world.newId());
  world.methods.set(id, { id, card, isMultiUse: true, isUsed: false });
  return id;
}

/** Finds the transaction that one repeats: the same amount, card and order id, and a success. */
const duplicatedBy = (world: World, { minor, orderId, card, merchantAccountId }: Transaction) =>
  [...world.transactions.values()].find(
    (each) =>
      each.minor === minor &&
      each.orderId === orderId &&
      each.merchantAccountId === merchantAccountId &&
      each.card.number === card.number &&
      each.card.month === card.month &&
      each.card.year === card.year &&
      had(each, 'AUTHORIZED') &&
      world.now().getTime() - each.createdAt.getTime() < world.settings.duplicatesMs,
  );

/** Lets the issuer decide by the card, and by the amount in major units. */
function decide(world: World, transaction: Transaction): void {
  if (world.settings.declinedCards.includes(transaction.card.number))
    return happen(world, transaction, 'PROCESSOR_DECLINED', { response: responseOf('2000', '05') });
  const major = Math.floor(transaction.minor / 10 ** decimalsOf(transaction.currency));
  if (major >= 2000 && major < 3000)
    return happen(world, transaction, 'PROCESSOR_DECLINED', { response: responseOf(String(major), '05') });
  if (major === 3000) return happen(world, transaction, 'FAILED', { response: responseOf('3000', null) });
  if (major === 5001)
    return happen(world, transaction, 'GATEWAY_REJECTED', { reason: 'APPLICATION_INCOMPLETE' });
  happen(world, transaction, 'AUTHORIZED', { response: responseOf('1000', '00') });
}

const responseOf = (code: string, network: string | null): Response => ({
  ...{ code, network, message: code === '1000' ? 'Approved' : `Answer ${code}` },
});

/** Submits a payment for settlement, which comes later. */
function submit(world: World, payment: Payment, source: Source): void {
  const { settlesAfterMs, settlingMs } = world.settings;
  happen(world, payment, 'SUBMITTED_FOR_SETTLEMENT', { source });
  if (settlingMs > 0) later(world, settlesAfterMs, () => beginSettling(world, payment));
  later(world, settlesAfterMs + settlingMs, () => settle(world, payment));
}

/** Begins the settlement of a payment that waits for it. */
export function beginSettling(world: World, payment: Payment): void {
  if (statusOf(payment) === 'SUBMITTED_FOR_SETTLEMENT') happen(world, payment, 'SETTLING');
}

/** Settles a payment that waits for it. The amount 4001 is declined then. */
export function settle(world: World, payment: Payment): void {
  if (!['SUBMITTED_FOR_SETTLEMENT', 'SETTLING'].includes(statusOf(payment))) return;
  const isDeclined = Math.floor(payment.minor / 10 ** decimalsOf(payment.currency)) === 4001;
  happen(world, payment, isDeclined ? 'SETTLEMENT_DECLINED' : 'SETTLED', {
    response: isDeclined ? responseOf('4001', null) : responseOf('4000', null),
  });
  if ('refunds' in payment)
    owe(
      world,
      isDeclined ? 'transaction_settlement_declined' : 'transaction_settled',
      payment as Transaction,
    );
}

/** Settles everything that waits for its settlement. */
export function settleAll(world: World): void {
  const transactions = [...world.transactions.values()];
  for (const payment of [...transactions, ...transactions.flatMap(({ refunds }) => refunds)])
    settle(world, payment);
}

/** Adds the refused repetition of a payment. */
export function repeatRefused(world: World, original: Transaction): void {
  const { merchantAccountId, currency, orderId, minor, card, source, key } = original;
  const given = { merchantAccountId, currency, orderId, minor, card, source };
  const repeated: Transaction = { ...newTransaction(world, given), key };
  world.transactions.set(repeated.id, repeated);
  happen(world, repeated, 'GATEWAY_REJECTED', { reason: 'DUPLICATE' });
}

type Part = { readonly minor: number | null; readonly orderId: string | null };

/** Captures a transaction once, for all or less of the held money. */
export function capture(
  world: World,
  transaction: Transaction,
  part: Part,
  { key, source }: Actor,
): Transaction {
  const { minor, orderId } = part;
  if (statusOf(transaction) !== 'AUTHORIZED' || transaction.children.length > 0)
    refuseInvalid('91507', 'Cannot submit for settlement unless status is authorized.');
  if ((minor ?? 0) > transaction.minor) refuseInvalid('91522', 'Settlement amount is too large.');
  transaction.minor = minor ?? transaction.minor;
  if (orderId !== null) rename(world, transaction, orderId);
  transaction.capturedBy = key;
  submit(world, transaction, source);
  return transaction;
}

function rename(world: World, transaction: Transaction, orderId: string): void {
  transaction.orderId = orderId;
  transaction.orderIds.push({ at: world.now(), orderId });
}

type ChildPart = { readonly minor: number; readonly orderId: string | null; readonly isFinal: boolean };

/** Captures a part by a transaction of its own. */
export function captureChild(
  world: World,
  parent: Transaction,
  { minor, orderId, isFinal }: ChildPart,
  { key, source }: Actor,
): Transaction {
  if (!world.settings.hasSeveral)
    refuseInvalid('915103', 'Partial settlements are not enabled for this payment method.');
  if (statusOf(parent) !== 'AUTHORIZED') refuseInvalid('91507', 'Cannot submit for settlement.');
  const taken = parent.children.filter(isTaken).reduce((sum, each) => sum + each.minor, 0);
  if (taken + minor > parent.minor) refuseInvalid('91522', 'Settlement amount is too large.');
  const { merchantAccountId, currency, card } = parent;
  const given = { merchantAccountId, currency, card, minor, source, orderId: orderId ?? parent.orderId };
  const child: Transaction = { ...newTransaction(world, given), key, parent, capturedBy: key };
  world.transactions.set(child.id, child);
  parent.children.push(child);
  if (world.settings.captureRenamesParent && orderId !== null) rename(world, parent, orderId);
  submit(world, child, source);
  if (isFinal || taken + minor === parent.minor) happen(world, parent, 'SETTLEMENT_CONFIRMED', { source });
  return child;
}

/** Refunds a part or all of a settled transaction. */
export function refund(world: World, transaction: Transaction, part: Part, { key, source }: Actor): Refund {
  const isSettling = statusOf(transaction) === 'SETTLING' && world.settings.refundsWhileSettling;
  if (statusOf(transaction) !== 'SETTLED' && !isSettling)
    refuseInvalid('91506', 'Cannot refund a transaction unless it is settled.');
  const left = transaction.minor - refundedOf(transaction);
  if (left === 0) refuseInvalid('91512', 'Transaction has already been fully refunded.');
  const minor = part.minor ?? left;
  if (minor > left) refuseInvalid('91521', 'Refund amount is too large.');
  const legacyId = world.newId();
  const { merchantAccountId, currency } = transaction;
  const orderId = part.orderId ?? transaction.orderId;
  const made: Refund = {
    ...{ id: globalIdOf('refund', legacyId), legacyId, createdAt: world.now(), source, merchantAccountId },
    ...{
      currency,
      minor,
      orderId,
      orderIds: [{ at: world.now(), orderId }],
      events: [],
      of: transaction,
      key,
    },
  };
  transaction.refunds.push(made);
  const declined = world.nextDeclines.shift();
  if (world.waiting > 0) world.waiting -= 1;
  else if (declined !== undefined)
    happen(world, made, 'PROCESSOR_DECLINED', { source, response: responseOf(declined, null) });
  else submit(world, made, source);
  return made;
}

/** Adds the repetition of a refund that its processor refused. The order of refunds says nothing. */
export function refuseRepeatedRefund(world: World, made: Refund): void {
  const legacyId = world.newId();
  const id = globalIdOf('refund', legacyId);
  const repeated: Refund = { ...made, id, legacyId, createdAt: world.now(), events: [] };
  made.of.refunds.unshift(repeated);
  happen(world, repeated, 'PROCESSOR_DECLINED', { response: responseOf('2016', null) });
}

const VOIDABLE = ['AUTHORIZED', 'SUBMITTED_FOR_SETTLEMENT', 'SETTLEMENT_PENDING'];

/** Voids a transaction, or refunds one that is settled. */
export function reverse(world: World, transaction: Transaction, actor: Actor): Transaction | Refund {
  const { key, source } = actor;
  if (statusOf(transaction) === 'SETTLED')
    return refund(world, transaction, { minor: null, orderId: null }, actor);
  if (!VOIDABLE.includes(statusOf(transaction)))
    refuseInvalid(
      '91504',
      'Transaction can only be voided if status is authorized or submitted_for_settlement.',
    );
  transaction.reversedBy = key;
  happen(world, transaction, 'VOIDED', { source });
  return transaction;
}

/** Lets an authorisation lapse. */
export function expire(world: World, transaction: Transaction): void {
  if (statusOf(transaction) === 'AUTHORIZED') happen(world, transaction, 'AUTHORIZATION_EXPIRED');
}

export const findTransaction = ({ transactions }: World, id: string): Transaction =>
  transactions.get(id) ?? refuseMissing('Transaction');
