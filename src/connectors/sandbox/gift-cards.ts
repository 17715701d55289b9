import type { FollowUpRequest, CallContext, Outcome, GiftCards } from '../door.ts';
import { exchange, type Exchanged } from './exchange.ts';
import { openGiftCardBook, type GiftCardRequest } from './simulator/gift-card-simulator.ts';
import {
  balanceFromWire,
  balanceToWire,
  giftCardOutcomeFromWire,
  returnToWire,
  redeemToWire,
} from './wire/gift-card-wire.ts';

/**
 * The sandbox's gift card provider: built in, or the merchant's own simulator at `api_url`.
 *
 * The built-in book belongs to the process. Other processes, and the same process after a restart, start a new
 * book.
 */
export const sandboxGiftCards: GiftCards = {
  balance: async (context, card) => {
    const exchanged = await ask(context, balanceToWire(context.credentials, card));
    return 'unknown' in exchanged ? exchanged.unknown : balanceFromWire(exchanged.answer);
  },
  redeem: (context, request) => outcomeOf(context, redeemToWire(context.credentials, request)),
  unredeem: (context, request) => giveBack(context, 'unredeem', request),
  refund: (context, request) => giveBack(context, 'refund', request),
};

const builtIn = openGiftCardBook();

const giveBack = (
  context: CallContext,
  operation: 'unredeem' | 'refund',
  request: FollowUpRequest,
): Promise<Outcome> => outcomeOf(context, returnToWire(context.credentials, operation, request));

async function outcomeOf(context: CallContext, request: GiftCardRequest): Promise<Outcome> {
  const exchanged = await ask(context, request);
  return 'unknown' in exchanged ? exchanged.unknown : giftCardOutcomeFromWire(exchanged.answer);
}

async function ask(context: CallContext, request: GiftCardRequest): Promise<Exchanged> {
  const { api_url: url } = context.credentials;
  return url ? await exchange(context, url, request) : { answer: builtIn.answer(request) };
}
