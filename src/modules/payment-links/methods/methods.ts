import type { App } from '../../../app.ts';
import type { BankScheme } from '../../../connectors/interface/requests.ts';
import { hasNeeds } from '../../../connectors/buyer/has-needs.ts';
import { findCandidates, findDefinition, findServedMethods } from '../../payment-services/index.ts';
import { buyerFacts, orderOfCart, redirectMethods } from '../../transactions/index.ts';
import { findApplePay, type LinkApplePay } from './apple-pay.ts';
import { findBankDebit } from './bank-debit.ts';
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
 * Finds the methods that the merchant account's services accept now for a link's currency, country, intent and instalments. No gift
 * card pays the part `left` of the amount.
 */
export async function findLinkMethods(
  app: App,
  link: PaymentLink,
  left: number = link.amount,
): Promise<LinkMethods> {
  const { merchantAccountId, currency, country, intent, installmentCount } = link;
  const splits = link.splits !== null;
  const { buyer } = buyerFacts({ ...link, ipAddress: null, browserInfo: null });
  const data = { buyer, order: orderOfCart({ ...link, giftCardAmount: link.amount - left }) };
  const accepts = async (method: string, cardNetwork: string | null = null): Promise<boolean> => {
    // The page asks for the number of a card, and has no other means of a card.
    const means = method === 'card' ? 'raw_card_data' : null;
    const filter = {
      method,
      currency,
      country,
      intent,
      means,
      installmentCount,
      cardNetwork,
      splits,
    } as const;
    const candidates = await findCandidates(app, merchantAccountId, filter);
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
    findStoredCards(app, link),
    findBankDebit(app, link),
    findApplePay(app, link),
    findGooglePay(app, link),
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

/** A network of one country, whose cards are mostly co-badged with Visa or Mastercard. */
export type LocalNetwork = 'carte_bancaire' | 'bancontact' | 'dankort' | 'eftpos_australia';

const LOCAL_NETWORKS: Readonly<Record<string, LocalNetwork>> = {
  AU: 'eftpos_australia',
  BE: 'bancontact',
  DK: 'dankort',
  FR: 'carte_bancaire',
  MC: 'carte_bancaire',
};
