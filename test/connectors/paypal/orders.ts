import { checkUnit } from './buyer-rules.ts';
import { checkCart } from './cart-rules.ts';
import { completeOrder } from './payments.ts';
import type { Json } from './json.ts';
import { refuse, refuseIssue, refuseMissing } from './refusal.ts';
import { checkSplits } from './split-rules.ts';
import { approvalLink, orderView } from './views.ts';
import {
  emit,
  HOUR_MS,
  readAmount,
  textAt,
  wireAt,
  type Order,
  type PayPalWorld,
  type Wire,
} from './world.ts';

/** The time in which an order has to be approved and completed. */
const ORDER_MS = 3 * HOUR_MS;

/** The payment sources with an account of the buyer. */
const WALLETS = ['paypal', 'venmo'];

/** The payment sources that redirect the buyer to a bank, with their currencies. */
const BANKS: Readonly<Record<string, readonly string[]>> = {
  ...{ bancontact: ['EUR'], blik: ['PLN'], eps: ['EUR'], giropay: ['EUR'], ideal: ['EUR'] },
  ...{ mybank: ['EUR'], p24: ['EUR', 'PLN'], sofort: ['EUR', 'GBP'] },
  trustly: ['EUR', 'SEK', 'DKK', 'NOK', 'GBP'],
};

/** Creates an order. A stored method or a card completes the order at once. */
export function createOrder(world: PayPalWorld, body: Json, requestId: string | null): Order {
  const units = wireAt(body, 'purchase_units') as readonly Wire[];
  const [unit, ...more] = units;
  if (!unit || more.length > 0) return refuseIssue('UNSUPPORTED_PAYMENT_INSTRUCTION', '/purchase_units');
  const amount = readAmount(unit['amount'], '/purchase_units/0/amount');
  checkCart(unit, amount);
  checkSplits(unit, amount);
  checkUnit(unit);
  const sources = Object.entries((wireAt(body, 'payment_source') ?? {}) as Readonly<Record<string, Wire>>);
  if (sources.length > 1) refuseIssue('ONLY_ONE_PAYMENT_SOURCE_ALLOWED', '/payment_source');
  const [source = null, sourceRequest = {}] = sources[0] ?? [];
  const isSingleStep = isPaidAtOnce(source, sourceRequest);
  if (isSingleStep && requestId === null)
    refuse({ status: 400, name: 'INVALID_REQUEST', issue: 'PAYPAL_REQUEST_ID_REQUIRED' });
  const id = world.newId();
  const context = (name: string): string | null =>
    textAt(sourceRequest, 'experience_context', name) ?? textAt(body, 'application_context', name);
  const order: Order = {
    ...{ id, requestId, intent: wireAt(body, 'intent') as Order['intent'], unit, amount },
    ...{ createdAt: world.now(), updatedAt: world.now() },
    status: source === null ? 'CREATED' : 'PAYER_ACTION_REQUIRED',
    ...{ source, sourceRequest, returnUrl: context('return_url'), cancelUrl: context('cancel_url') },
    completesOnApproval: textAt(body, 'processing_instruction') === 'ORDER_COMPLETE_ON_PAYMENT_APPROVAL',
    storesMethod: textAt(sourceRequest, 'attributes', 'vault', 'store_in_vault') === 'ON_SUCCESS',
    ...{ payer: null, token: null, declines: 0 },
  };
  checkSource(order);
  if (isSingleStep) checkStored(world, order);
  world.orders.set(id, order);
  if (!isSingleStep) return order;
  order.status = 'APPROVED';
  try {
    completeOrder(world, order, requestId);
  } catch (error) {
    // A payment that is refused at once leaves no order behind.
    world.orders.delete(id);
    throw error;
  }
  return order;
}

/** True if no buyer has to approve, because a card or a stored method pays. */
const isPaidAtOnce = (source: string | null, request: Wire): boolean =>
  source === 'card' ||
  source === 'token' ||
  textAt(request, 'vault_id') !== null ||
  textAt(request, 'billing_agreement_id') !== null;

function checkSource({ source, sourceRequest, intent, amount, returnUrl, cancelUrl }: Order): void {
  if (source === null || WALLETS.includes(source) || source === 'card' || source === 'token') return;
  const currencies = BANKS[source];
  if (!currencies) return refuseIssue(`NOT_ENABLED_FOR_${source.toUpperCase()}`, `/payment_source/${source}`);
  if (intent === 'AUTHORIZE') refuseIssue('UNSUPPORTED_INTENT_FOR_PAYMENT_SOURCE', '/intent');
  if (!currencies.includes(amount.currency))
    refuseIssue('CURRENCY_NOT_SUPPORTED_FOR_BANK', '/payment_source');
  const field = `/payment_source/${source}/experience_context`;
  if (returnUrl === null) refuseIssue('RETURN_URL_REQUIRED', `${field}/return_url`);
  if (cancelUrl === null) refuseIssue('CANCEL_URL_REQUIRED', `${field}/cancel_url`);
  if (Object.keys(sourceRequest).length === 0) refuseIssue('MISSING_REQUIRED_PARAMETER', field);
}

/** Checks a stored method or a card, which pays without the buyer's approval. */
function checkStored(world: PayPalWorld, order: Order): void {
  const { source, sourceRequest } = order;
  if (source === 'token') refuseIssue('BILLING_AGREEMENT_NOT_FOUND', '/payment_source/token/id');
  if (textAt(sourceRequest, 'billing_agreement_id') !== null)
    refuseIssue('BILLING_AGREEMENT_NOT_FOUND', `/payment_source/${source ?? ''}/billing_agreement_id`);
  const vaultId = textAt(sourceRequest, 'vault_id');
  if (vaultId !== null) {
    const token = world.tokens.get(vaultId);
    if (!token) return refuseIssue('TOKEN_ID_NOT_FOUND', `/payment_source/${source ?? ''}/vault_id`);
    if (token.source !== source) refuseIssue('MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE');
    order.payer = token.payer;
  } else order.payer = payerOf(order);
  if (source === 'card') checkCard(world, sourceRequest);
}

function checkCard(world: PayPalWorld, card: Wire): void {
  const field = '/payment_source/card';
  const isMerchant = textAt(card, 'stored_credential', 'payment_initiator') === 'MERCHANT';
  if (isMerchant && textAt(card, 'security_code') !== null)
    refuseIssue('MERCHANT_INITIATED_WITH_SECURITY_CODE', `${field}/security_code`);
  if (isMerchant && textAt(card, 'stored_credential', 'usage') !== 'SUBSEQUENT')
    refuseIssue('INCOMPATIBLE_PARAMETER_VALUE', `${field}/stored_credential/usage`);
  if (textAt(card, 'vault_id') !== null) return;
  if (textAt(card, 'number') === null) refuseIssue('CARD_NUMBER_REQUIRED', `${field}/number`);
  const expiry = textAt(card, 'expiry');
  if (expiry === null) return refuseIssue('CARD_EXPIRY_REQUIRED', `${field}/expiry`);
  if (expiry < world.now().toISOString().slice(0, 7)) refuseIssue('CARD_EXPIRED', `${field}/expiry`);
}

export const payerOf = ({
  id,
  sourceRequest,
}: Pick<Order, 'id' | 'sourceRequest'>): NonNullable<Order['payer']> => ({
  id: `PAYER${id.slice(-8)}`,
  email: textAt(sourceRequest, 'email_address') ?? 'buyer@example.com',
});

export const findOrder = (world: PayPalWorld, id: string): Order => world.orders.get(id) ?? refuseMissing();

export const isOrderExpired = (world: PayPalWorld, { createdAt, status }: Order): boolean =>
  status !== 'COMPLETED' && world.now().getTime() >= createdAt.getTime() + ORDER_MS;

/** Authorises or captures an approved order, as its intent says. */
export function finishOrder(
  world: PayPalWorld,
  order: Order,
  action: Order['intent'],
  requestId: string | null,
): void {
  if (order.intent !== action) refuseIssue('ACTION_DOES_NOT_MATCH_INTENT', '/intent');
  if (order.status === 'COMPLETED')
    refuseIssue(action === 'AUTHORIZE' ? 'ORDER_ALREADY_AUTHORIZED' : 'ORDER_ALREADY_CAPTURED');
  if (isOrderExpired(world, order)) refuseIssue('ORDER_EXPIRED');
  if (order.status !== 'APPROVED')
    refuseIssue('ORDER_NOT_APPROVED', undefined, [approvalLink(world, order, 'payer-action')]);
  declineSource(world, order);
  completeOrder(world, order, requestId);
}

/** The amounts whose source is declined, with the number of declines. The last one is declined as long as PayPal allows. */
export const DECLINED_SOURCES: Readonly<Record<number, number>> = { 4401: 1, 4402: Infinity };

/** PayPal allows this many attempts to pay an order. */
export const ATTEMPTS_MAX = 3;

/** Declines the source that the buyer approved, as the amount says. The buyer may then approve another source. */
function declineSource(world: PayPalWorld, order: Order): void {
  if (order.declines >= ATTEMPTS_MAX) refuseIssue('MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED');
  if (order.declines >= (DECLINED_SOURCES[order.amount.minor] ?? 0)) return;
  order.declines += 1;
  askAgain(world, order, 'redirect');
}

/** Carries out the buyer's decision. Returns the address to which the page sends the buyer, or null. */
export function decideOrder(world: PayPalWorld, order: Order, decision: 'approve' | 'cancel'): string | null {
  const isOpen = order.status === 'CREATED' || order.status === 'PAYER_ACTION_REQUIRED';
  if (isOpen && decision === 'approve' && !isOrderExpired(world, order)) {
    order.status = 'APPROVED';
    order.updatedAt = world.now();
    order.source ??= 'paypal';
    order.payer = payerOf(order);
    emit(world, 'CHECKOUT.ORDER.APPROVED', 'checkout-order', orderView(world, order));
    if (order.completesOnApproval) completeOrder(world, order, null);
  }
  const back = decision === 'approve' ? order.returnUrl : order.cancelUrl;
  if (back === null) return null;
  const url = new URL(back);
  url.searchParams.set('token', order.id);
  if (decision === 'approve' && order.payer) url.searchParams.set('PayerID', order.payer.id);
  return url.href;
}

/** Lets the buyer choose another instrument after the first one was declined. */
export function askAgain(world: PayPalWorld, order: Order, rel = 'payer-action'): never {
  order.status = 'PAYER_ACTION_REQUIRED';
  order.updatedAt = world.now();
  return refuseIssue('INSTRUMENT_DECLINED', undefined, [approvalLink(world, order, rel)]);
}
