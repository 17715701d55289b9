import { fullNameOf, refusedBefore, type AuthorizeRequest, type Outcome } from '../../door.ts';
import { tokenAnswer } from '../answers.ts';
import { refusalOf } from '../errors.ts';
import { parse, UNREADABLE, type Api } from '../exchange.ts';
import { IMPOSSIBLE } from '../impossible.ts';

/** The payment method that pays, by Braintree's name. */
export type Means = { readonly paymentMethodId: string };

/**
 * Returns the name of the payment method that pays. A card in clear gets a name for one payment first, which moves no money. So a lost
 * answer means that the payment was not sent.
 */
export async function meansOf(api: Api, request: AuthorizeRequest): Promise<Means | Outcome> {
  const { token, card, key, buyer } = request;
  if (token !== null) return { paymentMethodId: token };
  if (card === null) return refusedBefore(IMPOSSIBLE.means);
  const [month = '', year = ''] = card.expirationDate.split('/');
  const name = fullNameOf(buyer.firstName, buyer.lastName);
  const creditCard = {
    ...{ number: card.number, expirationMonth: month, expirationYear: `20${year}` },
    ...(card.securityCode !== null && { cvv: card.securityCode }),
    ...(name !== null && { cardholderName: name }),
  };
  const answer = await api.read('tokenizeCreditCard', { input: { creditCard, clientMutationId: key } });
  if (answer.kind === 'unknown') return { ...answer.unknown, sent: false };
  if (answer.kind === 'refused') return refusalOf(answer.error);
  const made = parse(tokenAnswer, answer.body);
  return made === null ? { ...UNREADABLE, sent: false } : { paymentMethodId: made };
}
