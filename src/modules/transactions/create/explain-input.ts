import { z } from 'zod';
import type { App } from '../../../app.ts';
import { isUuid } from '../../../platform/ids.ts';
import { metadata } from '../../../platform/input/metadata.ts';
import { text } from '../../../platform/input/text.ts';
import { amount, country, currency, optional, pattern, wholeNumber } from '../../../platform/input/values.ts';
import { CARD_METHODS, CARD_SCHEMES } from '../../payment-services/index.ts';
import { cardNetwork } from '../input/card-network.ts';
import { connectionOptions } from '../input/connection-options.ts';
import { redirectMethods } from '../input/means.ts';
import { THREE_D_SECURE_REQUESTS } from '../model/three-d-secure.ts';
import type { Transaction } from '../model/transaction.ts';

/** Returns the schema of explainRouting's input: a payment as far as it is described. */
export const explainRoutingInput = ({ connectors, antiFraudConnectors }: App) =>
  z
    .object({
      currency,
      country: optional(country),
      // The methods for which PaymentMethodInput has a field.
      method: payable(['card', 'bank', ...CARD_METHODS, ...redirectMethods(connectors)]),
      providerToken: z.boolean().default(false),
      redirect: z.boolean().default(false),
      store: z.boolean().default(false),
      threeDSecureData: z.boolean().default(false),
      intent: z.enum(['authorize', 'capture']),
      installmentCount: optional(wholeNumber(1, 100)),
      cardNetwork,
      splits: z.boolean().default(false),
      threeDSecureRequest: z.enum(THREE_D_SECURE_REQUESTS),
      paymentServiceId: optional(z.string()),
      connectionOptions: optional(connectionOptions({ connectors, antiFraudConnectors })),
      amount: optional(amount(0)),
      buyerId: optional(z.string().refine(isUuid, 'Must be the id of a buyer.').toLowerCase()),
      cardScheme: optional(z.enum(CARD_SCHEMES)),
      cardBin: optional(pattern(/^\d{6,8}$/, 'Must be 6 to 8 digits.')),
      stored: z.boolean().default(false),
      paymentSource: z
        .enum(['ecommerce', 'moto', 'recurring', 'installment', 'card_on_file'])
        .default('ecommerce'),
      merchantInitiated: z.boolean().default(false),
      isSubsequentPayment: z.boolean().default(false),
      externalIdentifier: optional(text(1, 200)),
      metadata: optional(metadata),
    })
    .refine(({ method, providerToken }) => method === 'card' || !providerToken, {
      path: ['providerToken'],
      message: 'Must be false: only a payment with the method card has a providerToken.',
    })
    .refine(({ method, cardNetwork: network }) => method === 'card' || network === null, {
      path: ['cardNetwork'],
      message: 'Must be absent: only a payment with the method card has a choice of its network.',
    })
    .refine(({ method, redirect }) => method === 'card' || !redirect, {
      path: ['redirect'],
      message: 'Must be false: only the method card is paid with and without a redirect.',
    })
    .refine(({ providerToken, cardNetwork: network, redirect }) => !redirect || !(providerToken || network), {
      path: ['redirect'],
      message: 'Must be false: a payment with a providerToken or a cardNetwork has no redirect.',
    });

export type ExplainRoutingInput = z.output<ReturnType<typeof explainRoutingInput>>;

/** Returns the kind of data that pays. Null for a method whose services take any. */
export const instrumentOf = ({
  redirect,
  providerToken,
  method,
}: Pick<ExplainRoutingInput, 'redirect' | 'providerToken' | 'method'>): Instrument | null =>
  redirect ? 'redirect' : providerToken ? 'card_token' : (TYPES[method] ?? null);

type Instrument = NonNullable<Transaction['instrumentType']>;

/** The kinds of data of the methods that only some services take. */
const TYPES: Readonly<Record<string, 'pan' | 'applepay' | 'googlepay' | 'network_token'>> = {
  card: 'pan',
  applepay: 'applepay',
  googlepay: 'googlepay',
  network_token: 'network_token',
};

/** Cards may be among the methods by redirect, too. */
const payable = (methods: readonly string[]) => {
  const names = [...new Set(methods)];
  return z.enum(names, `Must be a method that createTransaction can pay with: ${names.join(', ')}.`);
};
