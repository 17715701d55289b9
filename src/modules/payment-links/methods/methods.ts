import type { App } from '../../../app.ts';
import type { BankScheme } from '../../../connectors/interface/requests.ts';
import { hasNeeds } from '../../../connectors/buyer/has-needs.ts';
import { findDefinition, findServedMethods } from '../../payment-services/index.ts';
import { buyerFacts, orderOfCart, redirectMethods } from '../../transactions/index.ts';
import { findApplePay, type LinkApplePay } from './apple-pay.ts';
import { findBankDebit } from './bank-debit.ts';
import { findForeseen } from './foreseen.ts';
import { findGooglePay, type LinkGooglePay } from './google-pay.ts';
import { takesGiftCards } from './gift-cards.ts';
import type { PaymentLink } from '../payment-link.ts';
import { findStoredCards, type StoredCard } from './stored-cards.ts';

/** The methods by which a buyer can pay a link. */
export type LinkMethods = {
  readonly card: boolean;
  /** The country's own network, whose choice some service takes for a co-badged card. Null without one. */
  readonly localNetwork: LocalNetwork | null;
  /** Methods that the buyer approves on a provider's page. */
  readonly redirects: readonly string[];
  /** Stored cards of the link's buyer. Empty where no card is accepted. */
  readonly stored: readonly StoredCard[];
  readonly giftCards: boolean;
  /** Null where no service of the link is a merchant at Apple. */
  readonly applePay: LinkApplePay | null;
  /** Null where no service of the link receives its tokens. */
  readonly googlePay: LinkGooglePay | null;
  /** The scheme of a bank debit. Null where no service debits an account for the link. */
  readonly bank: BankScheme | null;
};

/**
 * Finds the methods that the merchant account's services accept now for a link's currency, country, intent and instalments. Leaves out
 * methods that the merchant's own rules refuse whatever the buyer gives. No gift card pays the part `left` of the amount.
 */
export async function findLinkMethods(
  app: App,
  link: PaymentLink,
  left: number = link.amount,
): Promise<LinkMethods> {
  const { merchantAccountId, country, intent } = link;
  const { buyer } = buyerFacts({ ...link, ipAddress: null, browserInfo: null });
  const data = { buyer, order: orderOfCart({ ...link, giftCardAmount: link.amount - left }) };
  const accepts = async (method: string, cardNetwork: string | null = null): Promise<boolean> => {
    // The page asks for the number of a card, and has no other means of a card.
    const [means, instrument] = method === 'card' ? CARD : REDIRECT;
    const filter = { method, intent, means, cardNetwork } as const;
    const candidates = await findForeseen(app, link, { method, instrument, left }, filter);
    return candidates.some(({ definitionId }) => hasNeeds(findDefinition(app, definitionId) ?? {}, data));
  };
  const local = LOCAL_NETWORKS[country] ?? null;
  const served = await findServedMethods(app, merchantAccountId);
  // The page of a link has a form for cards of its own.
  const names = redirectMethods(app.connectors).filter((name) => name !== 'card' && served.has(name));
  const [card, takesLocal, giftCards, stored, debit, applePay, googlePay, accepted] = await Promise.all([
    accepts('card'),
    local !== null && accepts('card', local),
    takesGiftCards(app, link),
    findOfferedCards(app, link, left),
    findBankDebit(app, link, left),
    findApplePay(app, link, left),
    findGooglePay(app, link, left),
    Promise.all(names.map((name) => accepts(name))),
  ]);
  const redirects = names.filter((_, index) => accepted[index]);
  const bank = debit?.scheme ?? null;
  const localNetwork = takesLocal ? local : null;
  return {
    ...{ card, localNetwork, redirects, stored: card ? stored : [], giftCards },
    ...{ applePay, googlePay, bank },
  };
}

/** Finds the stored cards that the page offers. Empty where the merchant's own rules refuse every stored card. */
async function findOfferedCards(app: App, link: PaymentLink, left: number): Promise<readonly StoredCard[]> {
  const found = await findStoredCards(app, link);
  if (found.length === 0) return found;
  const [means, instrument] = CARD;
  const way = { method: 'card', instrument, left, isStored: true } as const;
  const filter = { method: 'card', intent: link.intent, means } as const;
  const services = await findForeseen(app, link, way, filter);
  return services.length > 0 ? found : [];
}

const CARD = ['raw_card_data', 'pan'] as const;
const REDIRECT = [null, 'redirect'] as const;

/** A network of one country, whose cards are mostly co-badged with Visa or Mastercard. */
export type LocalNetwork = 'carte_bancaire' | 'bancontact' | 'dankort' | 'eftpos_australia';

const LOCAL_NETWORKS: Readonly<Record<string, LocalNetwork>> = {
  AU: 'eftpos_australia',
  BE: 'bancontact',
  DK: 'dankort',
  FR: 'carte_bancaire',
  MC: 'carte_bancaire',
};
