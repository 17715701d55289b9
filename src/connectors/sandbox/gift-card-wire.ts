import { z } from 'zod';
import { AMOUNT_MAX } from '../../kernel/money.ts';
import type { FollowUpRequest } from '../requests.ts';
import type { Credentials } from '../call-context.ts';
import type { Outcome } from '../outcome.ts';
import {
  giftCardErrorCode,
  type GiftCardBalance,
  type GiftCardSecrets,
  type RedeemRequest,
} from '../gift-cards.ts';
import type { GiftCardRequest } from './gift-card-simulator.ts';

/** Our question for a balance in the provider's words. */
export const balanceToWire = (credentials: Credentials, card: GiftCardSecrets): GiftCardRequest => ({
  operation: 'balance',
  ...accountOf(credentials),
  card: { number: card.number, pin: card.pin },
});

/** Our redemption in the provider's words. */
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

/** Our reversal or refund of a redemption in the provider's words. */
export const giveBackToWire = (
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

/** The provider's answer in our words. Anything that it has not promised to say is `unknown`, never a refusal. */
export function giftCardOutcomeFromWire(given: unknown): Outcome {
  const refusal = refused.safeParse(given);
  if (refusal.success) {
    const { result, code, message } = refusal.data;
    return {
      // A card that is at fault is declined; anything else went wrong without an effect, which the answer states.
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

/** The same for a balance. */
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
