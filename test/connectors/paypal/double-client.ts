import { createPayPalDouble, type PayPalDouble, type PayPalDoubleSettings } from './double.ts';

type Body = Readonly<Record<string, unknown>>;

export type Called = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Body;
};

export type CallOptions = {
  readonly body?: object | undefined;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for the preference for ids and links alone. */
  readonly isMinimal?: boolean;
};

export type Bench = ReturnType<typeof openBench>;

export const ORDER = {
  intent: 'AUTHORIZE',
  purchase_units: [
    { reference_id: 'payment', custom_id: 'operation-1', amount: { currency_code: 'USD', value: '10.00' } },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        ...{ return_url: 'https://shop.example.com/return', cancel_url: 'https://shop.example.com/cancel' },
        user_action: 'PAY_NOW',
      },
    },
  },
};

/** Returns an amount as PayPal takes it. */
export const money = (value: string, currency_code = 'USD'): object => ({ currency_code, value });

/** Opens a double with a clock that the test moves, and the calls of a client with an access token. */
export function openBench(settings: PayPalDoubleSettings = {}) {
  let nowMs = Date.UTC(2026, 10, 1);
  let ids = 0;
  const now = (): Date => new Date(nowMs);
  const double = createPayPalDouble({ now, newId: () => String((ids += 1)), ...settings });
  let token = '';
  const read = (answer: Awaited<ReturnType<PayPalDouble['handle']>>): Called | null => {
    if (answer === null) return null;
    const { status, headers, body: text } = answer;
    return { status, headers, text, json: headers['content-type'] === 'application/json' ? parse(text) : {} };
  };
  /** Takes a new access token. */
  const login = async (): Promise<Called> => {
    const basic = Buffer.from(`${double.clientId}:${double.clientSecret}`).toString('base64');
    const called = read(
      await double.handle({
        ...{ method: 'POST', path: '/v1/oauth2/token', body: 'grant_type=client_credentials' },
        headers: {
          ...{ authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
        },
      }),
    );
    if (!called) throw new Error('The request for a token was lost.');
    token = String(called.json['access_token']);
    return called;
  };
  /** Calls the API. Null if the connection ends without an answer. */
  const send = async (
    name: string,
    { body, key, headers = {}, isMinimal = false }: CallOptions = {},
  ): Promise<Called | null> => {
    if (token === '') await login();
    const [method = '', path = ''] = name.split(' ');
    return read(
      await double.handle({
        ...{ method, path, body: body === undefined ? '' : JSON.stringify(body) },
        headers: {
          ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(isMinimal ? {} : { prefer: 'return=representation' }),
          ...(key === undefined ? {} : { 'paypal-request-id': key }),
          ...headers,
        },
      }),
    );
  };
  /** Calls the API, and expects an answer. */
  const call = async (name: string, body?: object, key?: string): Promise<Called> => {
    const called = await send(name, { body, key });
    if (!called) throw new Error('The connection ended without an answer.');
    return called;
  };
  /** Creates an order that the buyer approved. Returns its id. */
  const approve = async (intent: 'AUTHORIZE' | 'CAPTURE', more: object = {}): Promise<string> => {
    const { json, text } = await call('POST /v2/checkout/orders', { ...ORDER, intent, ...more });
    const { id } = json;
    if (typeof id !== 'string') throw new Error(text);
    double.hands.decide(id, 'approve');
    return id;
  };
  /** Finishes an order that the buyer approved. Returns the ids of the order, and of its authorisation or capture. */
  const finish = async (intent: 'AUTHORIZE' | 'CAPTURE', more?: object) => {
    const orderId = await approve(intent, more);
    const { json, text } = await call(`POST /v2/checkout/orders/${orderId}/${intent.toLowerCase()}`);
    const [payment] = paymentsOf(json, intent === 'AUTHORIZE' ? 'authorizations' : 'captures');
    if (!payment) throw new Error(text);
    return { orderId, id: payment.id };
  };
  return {
    ...{ double, now, login, send, call, approve, pass: (ms: number): void => void (nowMs += ms) },
    authorize: (more?: object) => finish('AUTHORIZE', more),
    capture: (more?: object) => finish('CAPTURE', more),
  };
}

/** Reads an answer. A spoilt one has no values. */
function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}

type Payment = { readonly id: string; readonly status: string };

/** Returns the authorisations, captures or refunds of an order. */
export function paymentsOf(order: Body, kind: 'authorizations' | 'captures' | 'refunds'): readonly Payment[] {
  const units = order['purchase_units'] as
    | { readonly payments?: Readonly<Record<string, readonly Payment[]>> }[]
    | undefined;
  return units?.[0]?.payments?.[kind] ?? [];
}

/** Returns the issue of a refused call, with its status. */
export function issueOf({ status, json }: Called): readonly [number, string | undefined] {
  const details = json['details'] as readonly { readonly issue: string }[] | undefined;
  return [status, details?.[0]?.issue];
}
