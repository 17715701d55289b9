import type { FollowUpRequest } from '../requests.ts';
import type { CallContext } from '../call-context.ts';
import type { Outcome } from '../outcome.ts';
import type { GiftCards } from '../gift-cards.ts';
import { exchange, type Exchanged } from './exchange.ts';
import { openGiftCardBook, type GiftCardRequest } from './gift-card-simulator.ts';
import {
  balanceFromWire,
  balanceToWire,
  giftCardOutcomeFromWire,
  giveBackToWire,
  redeemToWire,
} from './gift-card-wire.ts';

/**
 * The sandbox's provider of gift cards: built in, or a simulator of the merchant's own at the `api_url` of the service. The
 * built-in one's book is this process's: another process, and this one after its next start, has one of its own.
 */
export const sandboxGiftCards: GiftCards = {
  balance: async (context, card) => {
    const said = await ask(context, balanceToWire(context.credentials, card));
    return 'unknown' in said ? said.unknown : balanceFromWire(said.answer);
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
): Promise<Outcome> => outcomeOf(context, giveBackToWire(context.credentials, operation, request));

async function outcomeOf(context: CallContext, request: GiftCardRequest): Promise<Outcome> {
  const said = await ask(context, request);
  return 'unknown' in said ? said.unknown : giftCardOutcomeFromWire(said.answer);
}

async function ask(context: CallContext, request: GiftCardRequest): Promise<Exchanged> {
  const { api_url: url } = context.credentials;
  return url ? await exchange(context, url, request) : { answer: builtIn.answer(request) };
}
