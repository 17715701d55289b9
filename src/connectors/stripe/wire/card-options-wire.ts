import type { Stripe } from 'stripe';
import type { CallContext, AuthorizeRequest, Series, ThreeDSecureData } from '../../door.ts';
import { NETWORKS } from '../model/definitions.ts';

type CardOptions = Stripe.PaymentIntentCreateParams.PaymentMethodOptions.Card;

/** Stripe opens these parameters for single accounts, so the SDK's types lack them. */
type GatedOptions = {
  /** The scheme's id of an earlier payment, perhaps at another provider. */
  readonly mit_exemption?: { readonly network_transaction_id: string };
  readonly network_token?: {
    readonly cryptogram?: string;
    readonly electronic_commerce_indicator?: string;
  };
};

/** True if the merchant asks for an error in place of an approval by the buyer. */
export const isRefusingActions = ({ options }: Pick<AuthorizeRequest, 'options'>): boolean =>
  options?.['error_on_requires_action'] === true;

/** The customer of the merchant's own records, as a connection option. Null without one. */
export function givenCustomer({ options }: Pick<AuthorizeRequest, 'options'>): string | null {
  const given = options?.['customer_id'];
  return typeof given === 'string' && /^cus_\w+$/.test(given) ? given : null;
}

/** Maps the facts about a card payment. Empty when there are none. */
export function cardOptionsToWire(
  request: AuthorizeRequest,
  credentials: CallContext['credentials'],
): Pick<Stripe.PaymentIntentCreateParams, 'payment_method_options'> {
  const { series, capture, installmentCount: count, threeDSecure, authentication } = request;
  const { cardNetwork } = request;
  const authenticated = threeDSecure && threeDSecureToWire(threeDSecure);
  const card: CardOptions & GatedOptions = {
    ...(series.source === 'moto' && { moto: true }),
    ...usageOf(series),
    ...(count !== null && {
      installments: {
        enabled: true,
        plan: { type: 'fixed_count' as const, interval: 'month' as const, count },
      },
    }),
    ...(isNetwork(cardNetwork) && { network: NETWORKS[cardNetwork] }),
    ...(authenticated && { three_d_secure: authenticated }),
    ...(isAsked({ series, threeDSecure, authentication }) && { request_three_d_secure: 'any' as const }),
    ...gatedOptionsOf(request, credentials),
    // Stripe refuses these from an account without the approval, also as a wish.
    ...(!capture &&
      credentials['multiple_captures'] === 'true' && { request_multicapture: 'if_available' as const }),
    ...(!capture &&
      credentials['incremental_authorization'] === 'true' && {
        request_incremental_authorization: 'if_available' as const,
      }),
  };
  return Object.keys(card).length === 0 ? {} : { payment_method_options: { card } };
}

/** Maps the facts about a payment of nothing, which only checks the card. Empty when there are none. */
export function setupOptionsToWire(
  request: AuthorizeRequest,
): Pick<Stripe.SetupIntentCreateParams, 'payment_method_options'> {
  const { cardNetwork } = request;
  const card = {
    ...(isNetwork(cardNetwork) && { network: NETWORKS[cardNetwork] }),
    ...(isAsked(request) && { request_three_d_secure: 'any' as const }),
  };
  return Object.keys(card).length === 0 ? {} : { payment_method_options: { card } };
}

/** Routing asks no service for another network. */
const isNetwork = (network: string | null): network is keyof typeof NETWORKS =>
  network !== null && network in NETWORKS;

/** Maps the facts that Stripe takes from approved accounts only. A field of the payment service tells of the approval. */
function gatedOptionsOf(
  { series, networkToken }: Pick<AuthorizeRequest, 'series' | 'networkToken'>,
  credentials: CallContext['credentials'],
): GatedOptions {
  const { merchantInitiated, schemeTransactionId } = series;
  const cryptogram = networkToken?.cryptogram ?? null;
  const eci = networkToken?.eci ?? null;
  return {
    ...(merchantInitiated &&
      schemeTransactionId !== null &&
      credentials['network_transaction_ids'] === 'true' && {
        mit_exemption: { network_transaction_id: schemeTransactionId },
      }),
    ...(cryptogram !== null && {
      network_token: { cryptogram, ...(eci !== null && { electronic_commerce_indicator: eci }) },
    }),
  };
}

/** True to ask for Stripe's own authentication. Stripe has no word against one, so its rules decide about `never`. */
const isAsked = ({
  series,
  threeDSecure,
  authentication,
}: Pick<AuthorizeRequest, 'series' | 'threeDSecure' | 'authentication'>): boolean =>
  authentication === 'always' &&
  threeDSecure === null &&
  !series.merchantInitiated &&
  series.source !== 'moto';

/** Maps the use of a stored card: in the payment that stores the card, and in those without the buyer. */
function usageOf({ source, tokenizes, merchantInitiated }: Series): CardOptions {
  const usage = USAGES[source];
  if (usage === undefined) return {};
  if (merchantInitiated) return { stored_credential_usage: usage };
  return tokenizes ? { setup_credential_usage: usage } : {};
}

const USAGES: Partial<Readonly<Record<Series['source'], 'recurring' | 'installment' | 'unscheduled'>>> = {
  recurring: 'recurring',
  installment: 'installment',
  card_on_file: 'unscheduled',
};

/**
 * Maps the result of an authentication that happened elsewhere. Null without the proof or the id, which Stripe demands, and for
 * a version that Stripe does not list.
 */
export function threeDSecureToWire(data: ThreeDSecureData): CardOptions['three_d_secure'] | null {
  const { cavv, eci, directoryTransactionId, xid, directoryResponse } = data;
  const version = VERSIONS.find((each) => data.version === each || data.version.startsWith(`${each}.`));
  const transactionId = directoryTransactionId ?? xid;
  if (cavv === null || transactionId === null || version === undefined) return null;
  return {
    version,
    cryptogram: cavv,
    transaction_id: transactionId,
    ...(eci !== null && { electronic_commerce_indicator: eci.padStart(2, '0') }),
    ...(directoryResponse !== null && version !== '1.0.2' && { ares_trans_status: directoryResponse }),
  };
}

const VERSIONS = ['1.0.2', '2.1.0', '2.2.0', '2.3.0', '2.3.1'] as const;
