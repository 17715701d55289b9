import { adyen } from '../../../src/connectors/adyen/index.ts';
import type { Connector } from '../../../src/connectors/connector.ts';
import type { Definition } from '../../../src/connectors/definition.ts';
import { stripe } from '../../../src/connectors/stripe/index.ts';
import type { RealPlace } from '../harness.ts';
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
} as const satisfies Record<RealPlace, string>;

const CARDS: readonly string[] = Object.values(DEFINITIONS);

/** The real connectors at their own addresses, with the definitions of cards. */
export const realConnectors: readonly Connector[] = [stripe, adyen].map((connector) =>
  followed({
    ...connector,
    definitions: connector.definitions.filter(({ id }) => CARDS.includes(id)).map(shortened),
  }),
);

/** The account of a merchant at the providers. */
export type Account = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  readonly merchantAccount: string;
  readonly hmacKey: string;
  readonly hasMultipleCaptures: boolean;
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
  };
}

type Field = { readonly key: string; readonly value: string };

/** Lists the fields of a merchant's service at a provider. */
export function fieldsOf(place: RealPlace, merchant: number): readonly Field[] {
  const { secretKey, webhookSecret, merchantAccount, hmacKey, hasMultipleCaptures } = accountOf(merchant);
  const both = [
    { key: 'raw_card_data', value: 'true' },
    { key: 'multiple_captures', value: String(hasMultipleCaptures) },
  ];
  return place === 'stripe'
    ? [{ key: 'secret_key', value: secretKey }, { key: 'webhook_secret', value: webhookSecret }, ...both]
    : [
        { key: 'api_key', value: secretKey },
        { key: 'merchant_account', value: merchantAccount },
        { key: 'hmac_key', value: hmacKey },
        ...both,
      ];
}
