import type { Shape } from './parameters.ts';

/** A part of the API that Stripe opens for single accounts. For other accounts its parameters are unknown. */
export type Gate = 'network_tokens' | 'network_transaction_ids';

const TOKEN: Shape = {
  object: {
    ...{ number: 'string', exp_month: 'integer', exp_year: 'integer' },
    tokenization_method: { enum: ['apple_pay', 'google_pay_dpan'] },
  },
  required: ['number', 'exp_month', 'exp_year'],
};

const CARD: Shape = {
  object: { exp_month: 'integer', exp_year: 'integer', last4: 'string', network_token: TOKEN },
  required: ['exp_month', 'exp_year', 'last4', 'network_token'],
};

const BILLING: Shape = {
  object: { address: { map: 'string' }, email: 'string', name: 'string', phone: 'string' },
};

/** A parameter that the SDK's types lack. With `having`, only an object with this name is the parameter. */
type Opened = { readonly path: readonly string[]; readonly shape: Shape; readonly having?: string };

/** The parameters behind each gate. */
const GATED: Readonly<Record<Gate, readonly Opened[]>> = {
  network_tokens: [
    {
      path: ['payment_method_data'],
      shape: {
        object: { type: { enum: ['card'] }, card: CARD, billing_details: BILLING },
        required: ['type', 'card'],
      },
      having: 'card',
    },
    {
      path: ['payment_method_options', 'card', 'network_token'],
      shape: {
        object: { cryptogram: 'string', electronic_commerce_indicator: 'string' },
        required: ['cryptogram'],
      },
    },
  ],
  network_transaction_ids: [
    {
      path: ['payment_method_options', 'card', 'mit_exemption'],
      shape: { object: { network_transaction_id: 'string' }, required: ['network_transaction_id'] },
    },
  ],
};

const CALLS = /^POST \/v1\/payment_intents(\/\{id\}\/confirm)?$/;

/** Lists the parameters of a call that the account's gates open. */
export const openedFor = (call: string, gates: readonly Gate[]): readonly Opened[] =>
  CALLS.test(call) ? gates.flatMap((gate) => GATED[gate]) : [];
