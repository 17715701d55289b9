import { X509Certificate } from 'node:crypto';
import { adyen } from '../../../src/connectors/adyen/index.ts';
import { braintree } from '../../../src/connectors/braintree/index.ts';
import { checkout } from '../../../src/connectors/checkout/index.ts';
import type { Connector } from '../../../src/connectors/interface/connector.ts';
import type { Definition } from '../../../src/connectors/interface/definition.ts';
import { mollie } from '../../../src/connectors/mollie/index.ts';
import { PAYPAL_HOSTS } from '../../../src/connectors/paypal/exchange.ts';
import { createPayPal } from '../../../src/connectors/paypal/index.ts';
import { PAYPAL_SIGNINGS, type PayPalSigning } from '../../../src/connectors/paypal/webhooks/signature.ts';
import { stripe } from '../../../src/connectors/stripe/index.ts';
import { createPayPalDouble } from '../../connectors/paypal/double.ts';
import { BEGIN_MS, type RealPlace } from '../harness.ts';
import { followed } from './calls.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Longer than any call takes on the clock of the machine. */
const DEADLINE_MS = 60_000;

/** A history ends before the long waits of a real provider would. */
const shortened = (definition: Definition): Definition => ({
  ...definition,
  decisionWindowMs: DAY,
  deadlineMs: DEADLINE_MS,
});

/** The definition behind the service of each real kind. */
export const DEFINITIONS = {
  stripe: 'stripe-card',
  adyen: 'adyen-card',
  paypal: 'paypal-paypal',
  mollie: 'mollie-card',
  checkout: 'checkout-card',
  braintree: 'braintree-card',
} as const satisfies Record<RealPlace, string>;

const PLAYED: readonly string[] = Object.values(DEFINITIONS);

// Making keys takes a moment, so the authority of the double of PayPal is made when a webhook needs it.
let authority: readonly X509Certificate[] | null = null;

const trusted = (signing: PayPalSigning): PayPalSigning => ({
  ...signing,
  roots: () =>
    (authority ??= [
      new X509Certificate(createPayPalDouble({ now: () => new Date(BEGIN_MS) }).certificate.root()),
    ]),
});

const paypal = createPayPal(PAYPAL_HOSTS, {
  production: trusted(PAYPAL_SIGNINGS.production),
  sandbox: trusted(PAYPAL_SIGNINGS.sandbox),
});

/** The real connectors at their own addresses, with the definitions that the histories play. */
export const realConnectors: readonly Connector[] = [stripe, adyen, paypal, mollie, checkout, braintree].map(
  (connector) =>
    followed({
      ...connector,
      definitions: connector.definitions.filter(({ id }) => PLAYED.includes(id)).map(shortened),
    }),
);

/** The account of a merchant at the providers. */
export type Account = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly merchantAccount: string;
  readonly hmacKey: string;
  readonly hasMultipleCaptures: boolean;
  readonly clientId: string;
  readonly webhookId: string;
  readonly mollieKey: string;
  readonly sandboxKey: string;
  readonly channel: string;
};

/** Returns the account of a merchant. Only the first merchant's account takes several captures of a payment. */
export function accountOf(merchant: number): Account {
  const isFirst = merchant === 0;
  return {
    secretKey: isFirst ? 'sk_test_one' : 'sk_test_two',
    webhookSecret: isFirst ? 'whsec_one' : 'whsec_two',
    merchantAccount: isFirst ? 'SimulationOne' : 'SimulationTwo',
    hmacKey: (isFirst ? 'A1' : 'B2').repeat(32),
    hasMultipleCaptures: isFirst,
    clientId: isFirst ? 'client-one' : 'client-two',
    webhookId: isFirst ? 'WEBHOOK0000000001' : 'WEBHOOK0000000002',
    mollieKey: isFirst ? 'test_mollieOne' : 'test_mollieTwo',
    sandboxKey: isFirst ? 'sk_sbox_one' : 'sk_sbox_two',
    channel: isFirst ? 'pc_one' : 'pc_two',
  };
}

type Field = { readonly key: string; readonly value: string };

/** Lists the fields of a merchant's service at a provider. */
export function fieldsOf(place: RealPlace, merchant: number): readonly Field[] {
  const account = accountOf(merchant);
  const both = { raw_card_data: 'true', multiple_captures: String(account.hasMultipleCaptures) };
  const { secretKey, webhookSecret, merchantAccount, hmacKey, clientId, webhookId, mollieKey } = account;
  const { sandboxKey, channel } = account;
  const fields: Readonly<Record<RealPlace, Readonly<Record<string, string>>>> = {
    stripe: { secret_key: secretKey, webhook_secret: webhookSecret, ...both },
    adyen: { api_key: secretKey, merchant_account: merchantAccount, hmac_key: hmacKey, ...both },
    paypal: { client_id: clientId, client_secret: secretKey, webhook_id: webhookId },
    mollie: { api_key: mollieKey },
    checkout: {
      ...{ secret_key: sandboxKey, processing_channel_id: channel, signature_key: hmacKey },
      raw_card_data: 'true',
    },
    braintree: {
      ...{ public_key: clientId, private_key: secretKey, merchant_accounts: 'PHP account_php' },
      ...both,
    },
  };
  return Object.entries(fields[place]).map(([key, value]) => ({ key, value }));
}
