import type { App } from '../../../app.ts';
import { catalogueOf } from './candidates.ts';
import { findConsidered, type CandidateFilter, type RoutingReason } from './routing.sql.ts';

/** The routing of a payment, with payment services by position, then id. */
export type RoutingOfServices = {
  /** The services that accept, as `findCandidates` returns them, at most the first 200. */
  readonly candidates: readonly { readonly id: string; readonly definitionId: string }[];
  readonly candidateCount: number;
  /** True when another intent would turn some service into a candidate. */
  readonly intentAlone: boolean;
  /** All services that are not deleted: at most the first 200, and the requested one if it comes later. */
  readonly considered: readonly ConsideredPaymentService[];
  readonly consideredCount: number;
};

export type ConsideredPaymentService = {
  readonly paymentServiceId: string;
  /** True without any reason. */
  readonly accepts: boolean;
  /** All reasons, not only the first. */
  readonly reasons: readonly { readonly code: RoutingReason; readonly message: string }[];
};

/**
 * Explains for each payment service of a merchant account why it accepts a payment or not. Reads one snapshot and
 * changes nothing.
 */
export async function explainCandidates(
  app: App,
  merchantAccountId: string,
  filter: CandidateFilter,
): Promise<RoutingOfServices> {
  const found = await findConsidered(app.db, merchantAccountId, filter, {
    ...catalogueOf(app, filter),
    max: LISTED_MAX,
  });
  return {
    candidates: found
      .filter(({ reasons }) => reasons.length === 0)
      .map(({ id, definitionId }) => ({ id, definitionId })),
    candidateCount: found[0]?.accepting ?? 0,
    intentAlone: found[0]?.intentAlone ?? false,
    considered: found
      .filter(({ listed }) => listed)
      .map(({ id, reasons }) => ({
        paymentServiceId: id,
        accepts: reasons.length === 0,
        reasons: reasons.map((code) => ({ code, message: SENTENCES[code] })),
      })),
    consideredCount: found[0]?.total ?? 0,
  };
}

/** More services than a merchant account realistically has, and few enough for one answer. */
const LISTED_MAX = 200;

const SENTENCES = {
  inactive: 'The payment service is inactive.',
  not_ready: 'The provider refused the credentials of the payment service.',
  method: 'The payment service has another method.',
  currency: 'The payment service does not accept the currency.',
  country: 'The payment service does not accept the country.',
  local_currency:
    'The payment service takes only the local currency in the country of the payment. Pay in that currency.',
  not_requested: 'The request names another payment service.',
  unavailable:
    'This installation has no connector for the definition, or the definition works in the sandbox only.',
  intent:
    'The payment service cannot capture later (feature delayed_capture), so the intent must be CAPTURE.',
  three_d_secure:
    'The payment asks for 3-D Secure, and the payment service does not authenticate buyers (threeDSecureEnabled).',
  three_d_secure_pass_through:
    'The payment service takes no data of an authentication elsewhere (feature three_d_secure_pass_through).',
  installments:
    'The payment service takes no instalments (feature installments). Leave installmentCount out.',
  card_network_choice:
    'The provider of the payment service does not take the choice of this card network (feature card_network_choice). Leave the network out, or choose another.',
  splits: 'The payment service shares no money among accounts (feature splits). Leave splits out.',
  raw_card_data:
    'The payment service takes no cards in clear (feature raw_card_data, and the field of that name). Pay with providerToken, a wallet or a redirect.',
  apple_pay: 'The payment service takes no tokens of Apple Pay (feature apple_pay).',
  google_pay: 'The payment service takes no tokens of Google Pay (feature google_pay).',
  provider_tokens:
    "The payment service takes no tokens of the provider's software in the client (feature provider_tokens).",
  card_page: 'The payment service has no page of the provider for cards (feature card_page).',
  payment_method_tokenization:
    'The payment stores a token in place of a card, and the payment service asks for no tokens (paymentMethodTokenizationEnabled).',
  network_tokens:
    'The payment service takes no network tokens (feature network_tokens, the field of that name, and networkTokensEnabled).',
} as const satisfies Record<RoutingReason, string>;
