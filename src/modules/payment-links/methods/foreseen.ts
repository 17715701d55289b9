import type { App } from '../../../app.ts';
import type { Candidate, CandidateFilter } from '../../payment-services/index.ts';
import { FIRST_ATTEMPT, type OpenFact } from '../../routing/index.ts';
import { foreseeRoute } from '../../transactions/index.ts';
import type { PaymentLink } from '../payment-link.ts';
import { payingBuyerOf } from './paying-buyer.ts';

/** A way to pay a link, as the merchant's own rules see it. */
export type Way = {
  readonly method: string;
  readonly instrument: 'pan' | 'applepay' | 'googlepay' | 'bank' | 'redirect';
  /** The part of the amount that no gift card pays. */
  readonly left: number;
  /** True if a stored card pays. Left out: a stored card or a new one. */
  readonly isStored?: true;
};

/**
 * Finds the payment services that a payment of a link may ask, best first. Each accepts the payment, and the merchant's own rules may
 * let the payment ask the service. The filter adds to the terms of the link.
 */
export async function findForeseen(
  app: App,
  link: PaymentLink,
  way: Way,
  filter: Omit<CandidateFilter, 'currency' | 'country' | 'installmentCount' | 'splits'>,
): Promise<readonly Candidate[]> {
  const { method, instrument, left, isStored } = way;
  const { merchantAccountId, amount, currency, country, installmentCount, routingVersionId } = link;
  const facts = {
    // A link without a buyer draws by its own id.
    ...{ paymentId: link.id, buyerId: await payingBuyerOf(app, link) },
    ...{ amount, currency, country, method, instrument },
    ...{ scheme: null, bin: null, hasGiftCards: left < amount },
    // A stored card is not stored again.
    ...{ isStored: isStored ?? false, stores: link.store && !isStored },
    ...{ paymentSource: link.paymentSource, merchantInitiated: false, isSubsequentPayment: false },
    ...{ installmentCount: installmentCount ?? 1, threeDSecureRequest: 'automatic' },
    ...{ hasThreeDSecureData: false, metadata: link.metadata, externalIdentifier: link.externalIdentifier },
    at: app.clock.now(),
    ...FIRST_ATTEMPT,
  };
  const terms = { ...filter, currency, country, installmentCount, splits: link.splits !== null };
  return foreseeRoute(app, { merchantAccountId, routingVersionId }, terms, {
    facts,
    open: openFacts(link, way),
  });
}

/** The facts that depend on the card of the buyer. A wallet tells its card after the decision. */
const openFacts = ({ buyerId }: PaymentLink, { instrument, isStored }: Way): readonly OpenFact[] => {
  if (instrument !== 'pan') return [];
  return buyerId === null || isStored ? ['scheme', 'bin'] : ['scheme', 'bin', 'isStored', 'stores'];
};
