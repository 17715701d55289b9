import type { App } from '../../../app.ts';
import type { BankAccount, Card } from '../../../connectors/requests.ts';
import { invalidInput, notFound, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import {
  findBuyers,
  findPaymentMethods,
  isUsable,
  openInstrument,
  type Buyer,
  type PaymentMethod,
} from '../../payment-methods/index.ts';
import { SERVICE_NEEDED } from '../input/bank.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import { CARDS_ONLY } from '../input/three-d-secure.ts';
import { detailsOf } from './buyer-details.ts';
import type { Paying, PayingRefusal } from './paying.ts';

type StoredRequested = {
  readonly id: string;
  readonly securityCode: string | null;
  /** The stored buyer that the input names. */
  readonly buyer: Buyer | null;
};

/**
 * Looks up the stored payment method that pays, and opens the method. Refuses a method that cannot pay. Runs outside any
 * transaction.
 */
export async function resolveStored(
  app: App,
  payee: { readonly merchantAccountId: string },
  input: CreateTransactionInput,
  requested: StoredRequested,
): Promise<Result<Paying, PayingRefusal>> {
  const [stored] = await findPaymentMethods(app, payee, [requested.id]);
  if (!stored) return refuse(STORED_NOT_FOUND);
  const refusal = refuseUse(stored, input, requested.buyer);
  if (refusal) return refuse(refusal);
  const { instrumentType } = stored;
  // No provider takes network tokens yet.
  if (instrumentType === 'network_token') return refuse({ kind: 'NoPaymentService', passedOver: [] });
  const opened = await openMethod(app, stored, requested.securityCode);
  if (!opened) return refuse(STORED_NOT_FOUND);
  const [buyer = null] =
    requested.buyer || stored.buyerId === null
      ? [requested.buyer]
      : await findBuyers(app, payee, [stored.buyerId]);
  return ok({
    method: stored.method,
    instrumentType,
    buyerId: buyer?.id ?? null,
    buyer: input.buyer ?? detailsOf(buyer),
    country: input.country ?? stored.country,
    redirectUrl: input.redirectUrl ?? stored.redirectUrl,
    ...opened,
    stored,
    made: null,
  });
}

const STORED = ['input', 'paymentMethod', 'stored', 'id'];
export const STORED_NOT_FOUND = notFound('payment method', STORED);

/** Refuses a stored payment method that cannot pay here, or returns null (facts 2.5 and 11, rules 3 and 4). */
function refuseUse(
  stored: PaymentMethod,
  { currency, country, paymentServiceId, threeDSecureRequest }: CreateTransactionInput,
  buyer: Buyer | null,
): InvalidInput | null {
  const status = stored.status.toUpperCase();
  if (!isUsable(stored))
    return invalidInput(STORED, `The payment method cannot pay while its status is ${status}.`);
  if (buyer && stored.buyerId !== buyer.id)
    return invalidInput(STORED, 'Must belong to the buyer of the payment.');
  if (stored.currency !== null && stored.currency !== currency)
    return invalidInput(['input', 'currency'], `The payment method pays in ${stored.currency}.`);
  if (stored.instrumentType === 'bank' && paymentServiceId === null)
    return invalidInput(['input', 'paymentServiceId'], SERVICE_NEEDED);
  if (threeDSecureRequest === 'always' && stored.instrumentType !== 'pan')
    return invalidInput(['input', 'threeDSecure', 'request'], CARDS_ONLY);
  // The payer of a SEPA debit may keep the account in any country (EU 260/2012, article 9).
  if (stored.instrumentType === 'bank') return null;
  return stored.country !== null && country !== null && stored.country !== country
    ? invalidInput(['input', 'country'], `The payment method pays in ${stored.country}.`)
    : null;
}

/** Opens the card or the bank account. Returns null when the method was deleted meanwhile. */
async function openMethod(
  app: App,
  stored: PaymentMethod,
  securityCode: string | null,
): Promise<{ readonly card: Card | null; readonly bank: BankAccount | null } | null> {
  const { instrumentType, expirationDate } = stored;
  if (instrumentType !== 'pan' && instrumentType !== 'bank') return { card: null, bank: null };
  const opened = await openInstrument(app, stored);
  if (opened?.kind === 'card' && expirationDate !== null)
    return { card: { number: opened.number, expirationDate, securityCode }, bank: null };
  if (opened?.kind !== 'bank_account') return null;
  const { kind: _, mandate = null, ...account } = opened;
  return { card: null, bank: { ...account, mandate } };
}
