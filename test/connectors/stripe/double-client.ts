import type Stripe from 'stripe';
import { createStripeDouble, type StripeDoubleSettings } from './double.ts';
import { API_VERSION } from './world.ts';

/** The parameters of a call, before they are a form. */
export type Given = {
  readonly [name: string]: string | number | boolean | Given | readonly (string | Given)[];
};

export type Called = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
};

export type Bench = ReturnType<typeof openBench>;

/** Encodes parameters as Stripe's SDKs do, with lists by index. */
export function encodeForm(given: Given, path = ''): string {
  return Object.entries(given)
    .map(([name, value]) => {
      const below = path === '' ? name : `${path}[${name}]`;
      return typeof value === 'object'
        ? encodeForm(Array.isArray(value) ? Object.fromEntries(value.entries()) : (value as Given), below)
        : `${encodeURIComponent(below)}=${encodeURIComponent(value)}`;
    })
    .filter((each) => each !== '')
    .join('&');
}

/** The parameters of a payment by card. */
export const CARD_PAYMENT: Given = {
  ...{ amount: 1000, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' },
  ...{ allowed_payment_method_types: ['card'], return_url: 'https://shop.example.com/return' },
  metadata: { paygraph_operation: 'operation-1' },
};

/** Opens a double with a clock that the test moves, and the calls of a client. */
export function openBench(settings: StripeDoubleSettings = {}) {
  let nowMs = Date.UTC(2026, 10, 1);
  let ids = 0;
  const double = createStripeDouble({
    ...{ now: () => new Date(nowMs), newId: () => String((ids += 1)) },
    ...settings,
  });
  /** Calls the API. Null if the connection ends without an answer. */
  const send = async (
    call: string,
    given: Given = {},
    more: Readonly<Record<string, string>> = {},
  ): Promise<Called | null> => {
    const [method = '', path = ''] = call.split(' ');
    const form = encodeForm(given);
    const headers = {
      ...{ authorization: `Bearer ${double.secretKey}`, 'stripe-version': API_VERSION },
      ...{ 'content-type': 'application/x-www-form-urlencoded', ...more },
    };
    const answer = await double.handle({
      ...{ method, headers, path: method === 'POST' || form === '' ? path : `${path}?${form}` },
      body: method === 'POST' ? form : '',
    });
    if (answer === null) return null;
    const isJson = answer.headers['content-type'] === 'application/json';
    const json = (isJson && isWhole(answer.body) ? JSON.parse(answer.body) : {}) as Called['json'];
    return { status: answer.status, headers: answer.headers, text: answer.body, json };
  };
  /** Calls the API, and expects an answer. */
  const call = async (name: string, given?: Given, key?: string): Promise<Called> => {
    const called = await send(name, given, key === undefined ? {} : { 'idempotency-key': key });
    if (!called) throw new Error('The connection ended without an answer.');
    return called;
  };
  return {
    ...{ double, send, call },
    /** Moves the clock on. */
    pass: (ms: number): void => void (nowMs += ms),
    /** Creates and confirms a payment by card, which must be answered with 200. */
    pay: async (given: Given = {}) => {
      const { status, json, text } = await call('POST /v1/payment_intents', { ...CARD_PAYMENT, ...given });
      if (status !== 200) throw new Error(text);
      return json as unknown as Stripe.PaymentIntent;
    },
    /** Calls the API. Returns the status and the error of the answer. */
    error: async (name: string, given?: Given, key?: string): Promise<Readonly<Record<string, unknown>>> => {
      const { status, json } = await call(name, given, key);
      return { status, ...(json['error'] as object) };
    },
  };
}

const isWhole = (text: string): boolean => text.endsWith('}');
