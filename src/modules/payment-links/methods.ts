import type { App } from '../../app.ts';
import { findCandidates } from '../payment-services/index.ts';
import { redirectMethods } from '../transactions/index.ts';
import { takesGiftCards } from './gift-cards.ts';
import type { PaymentLink } from './payment-link.ts';
import { findStoredCards, type StoredCard } from './stored-cards.ts';

/** What a buyer can pay a link with. */
export type LinkMethods = {
  readonly card: boolean;
  /** Those that are approved at a provider's page. */
  readonly redirects: readonly string[];
  /** Cards of the link's buyer that are stored; none where no card is taken. */
  readonly stored: readonly StoredCard[];
  readonly giftCards: boolean;
};

/** The methods that the merchant account's services accept for a link's currency, country and intent, at this moment. */
export async function findLinkMethods(app: App, link: PaymentLink): Promise<LinkMethods> {
  const { merchantAccountId, currency, country, intent } = link;
  const accepts = async (method: string): Promise<boolean> =>
    (await findCandidates(app, merchantAccountId, { method, currency, country, intent })).length > 0;
  const names = redirectMethods(app.connectors);
  const [card, giftCards, stored, accepted] = await Promise.all([
    accepts('card'),
    takesGiftCards(app, link),
    findStoredCards(app, link),
    Promise.all(names.map(accepts)),
  ]);
  const redirects = names.filter((_, index) => accepted[index]);
  return { card, redirects, stored: card ? stored : [], giftCards };
}
