import { z } from 'zod';
import {
  AMOUNT_MAX,
  giftCardErrorCode,
  type FollowUpRequest,
  type Credentials,
  type Outcome,
  type GiftCardBalance,
  type GiftCardSecrets,
  type RedeemRequest,
} from '../../door.ts';
import type { GiftCardRequest } from '../simulator/gift-card-simulator.ts';

/** Maps our request for a balance to the provider's format. */
export const balanceToWire = (credentials: Credentials, card: GiftCardSecrets): GiftCardRequest => ({
  operation: 'balance',
  ...accountOf(credentials),
  card: { number: card.number, pin: card.pin },
});

/** Maps our redemption to the provider's format. */
export const redeemToWire = (
  credentials: Credentials,
  { key, card, money }: RedeemRequest,
): GiftCardRequest => ({
  operation: 'redeem',
  ...accountOf(credentials),
  idempotency_key: key,
  card: { number: card.number, pin: card.pin },
  amount: money.amount,
  currency: money.currency,
});

/** Maps our reversal or refund of a redemption to the provider's format. */
export const returnToWire = (
  credentials: Credentials,
  operation: 'unredeem' | 'refund',
  { key, reference, money }: FollowUpRequest,
): GiftCardRequest => ({
  operation,
  ...accountOf(credentials),
  idempotency_key: key,
  redemption_id: reference,
  amount: money.amount,
  currency: money.currency,
});

const accountOf = ({ merchant_id: merchantId = '', currency = 'USD' }: Credentials) => ({
  merchant_id: merchantId,
  card_currency: currency,
});

const amount = z.int().min(0).max(AMOUNT_MAX);

const approved = z.object({
  result: z.literal('approved'),
  id: z.string().min(1).nullable(),
  amount,
  currency: z.string().regex(/^[A-Z]{3}$/),
  balance: amount,
  expiry: z.iso.datetime({ offset: true }).nullable(),
});

const refused = z.object({
  result: z.enum(['validation_error', 'server_error', 'client_error']),
  code: z.string(),
  message: z.string(),
});

/** Maps the provider's answer to an outcome. Returns `unknown` for an undocumented answer, never a refusal. */
export function giftCardOutcomeFromWire(given: unknown): Outcome {
  const refusal = refused.safeParse(given);
  if (refusal.success) {
    const { result, code, message } = refusal.data;
    return {
      // A fault of the card is a decline. Any other error is a failure without effect, as the answer states.
      kind: result === 'validation_error' ? 'declined' : 'failed',
      reference: null,
      errorCode: giftCardErrorCode(code),
      rawResponseCode: code,
      rawResponseDescription: message,
    };
  }
  const approval = approved.safeParse(given);
  if (!approval.success || approval.data.id === null) return { kind: 'unknown', cause: 'unreadable' };
  const { id: reference, amount, currency } = approval.data;
  return {
    kind: 'succeeded',
    reference,
    money: { amount, currency },
    rawResponseCode: null,
    rawResponseDescription: null,
  };
}

/** Maps the provider's answer to a balance. */
export function balanceFromWire(given: unknown): GiftCardBalance {
  const refusal = refused.safeParse(given);
  if (refusal.success) {
    const { code, message } = refusal.data;
    return {
      kind: 'refused',
      errorCode: giftCardErrorCode(code),
      rawErrorCode: code,
      rawErrorMessage: message,
    };
  }
  const approval = approved.safeParse(given);
  if (!approval.success) return { kind: 'unknown', cause: 'unreadable' };
  const { balance, currency, expiry } = approval.data;
  return {
    kind: 'known',
    money: { amount: balance, currency },
    expiresAt: expiry === null ? null : new Date(expiry),
  };
}
