import type { Log } from '../../platform/log.ts';
import { ask, secretsOf, answerOrUnknown } from './call.ts';
import type { Connector } from '../interface/connector.ts';
import type { FollowUpRequest } from '../interface/requests.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Outcome } from '../interface/outcome.ts';
import type { GiftCardBalance, GiftCards, GiftCardSecrets, RedeemRequest } from '../interface/gift-cards.ts';
import { cleanText } from '../reading/words.ts';

/** One call that moves money to or from a gift card. */
export type GiftCardCall =
  | ({ readonly verb: 'redeem' } & RedeemRequest)
  | ({ readonly verb: 'unredeem' | 'refund' } & FollowUpRequest);

/**
 * Moves money to or from a gift card, under the rules of `callConnector`.
 *
 * - Never throws.
 * - Returns `unknown` without an explicit answer before the deadline.
 * - Removes the card's number and PIN from the provider's words.
 */
export function callGiftCard(
  connector: Connector,
  context: CallContext,
  log: Log,
  call: GiftCardCall,
): Promise<Outcome> {
  const { verb, key, money } = call;
  if (call.verb !== 'redeem') {
    const { verb: followUp } = call;
    return ask(connector, context, log, call, async () => giftCardsOf(connector)[followUp](context, call));
  }
  const card = { number: call.card.number, securityCode: call.card.pin };
  const redeem = async (): Promise<Outcome> => giftCardsOf(connector).redeem(context, call);
  return ask(connector, context, log, { verb, key, money, card }, redeem);
}

/** Asks for a card's balance. Never throws. Removes the card's number and PIN from the provider's words. */
export async function askBalance(
  connector: Connector,
  context: CallContext,
  log: Log,
  card: GiftCardSecrets,
): Promise<GiftCardBalance> {
  const requested = { verb: 'balance', card: { number: card.number, securityCode: card.pin } };
  const answer = await answerOrUnknown(connector, context, log, requested, async () =>
    giftCardsOf(connector).balance(context, card),
  );
  if (answer.kind === 'unknown')
    log.warn(
      { connector: connector.id, verb: requested.verb, cause: answer.cause },
      'The balance of a gift card is unknown.',
    );
  if (answer.kind !== 'refused') return answer;
  const given = secretsOf(connector, context, requested);
  const tidy = (text: string | null): string | null => (text === null ? null : cleanText(text, given));
  return {
    ...answer,
    rawErrorCode: tidy(answer.rawErrorCode),
    rawErrorMessage: tidy(answer.rawErrorMessage),
  };
}

function giftCardsOf({ id, giftCards }: Connector): GiftCards {
  if (!giftCards) throw new Error(`The connector ${id} does not support gift cards.`);
  return giftCards;
}
