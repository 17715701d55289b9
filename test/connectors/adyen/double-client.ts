import { createAdyenDouble, TEST_ACCOUNT, type AdyenDouble, type AdyenDoubleOptions } from './double.ts';

/** A card whose issuer approves. */
export const CARD = {
  type: 'scheme',
  number: '4111111111111111',
  expiryMonth: '03',
  expiryYear: '2030',
  cvc: '737',
};

/** A request of a payment that is authorised and not captured. */
export const payment = (reference: string, changes: object = {}) => ({
  merchantAccount: TEST_ACCOUNT.merchantAccount,
  reference,
  amount: { value: 1299, currency: 'EUR' },
  paymentMethod: CARD,
  returnUrl: 'https://shop.example/return',
  additionalData: { manualCapture: 'true' },
  ...changes,
});

type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
};
type Body = Readonly<Record<string, unknown>> & {
  readonly pspReference?: string;
  readonly resultCode?: string;
  readonly errorCode?: string;
};

/** A double with numbered ids and a clock that a test moves. */
export function openDouble(options: AdyenDoubleOptions = {}) {
  const clock = { now: new Date('2026-11-24T12:00:00Z') };
  let count = 0;
  const newId = () => `PSP${String((count += 1)).padStart(13, '0')}`;
  const double = createAdyenDouble({ now: () => clock.now, newId, ...options });
  return { double, clock, ...clientOf(double) };
}

/** Sends requests in memory, with the API key of the test account. */
export function clientOf(double: Pick<AdyenDouble, 'handle'>) {
  const send = (
    method: string,
    path: string,
    body = '',
    headers: Readonly<Record<string, string>> = {},
  ): Answer => {
    const response = double.handle({
      method,
      path: `/v71${path}`,
      headers: { 'x-api-key': TEST_ACCOUNT.apiKey, ...headers },
      body,
    });
    return { ...response, body: response.body === '' ? {} : (JSON.parse(response.body) as Body) };
  };
  const post = (path: string, body: object, key?: string): Answer =>
    send('POST', path, JSON.stringify(body), key === undefined ? {} : { 'idempotency-key': key });
  return {
    send,
    post,
    /** Authorises 12.99 EUR, or what is changed. Returns the psp reference. */
    authorise: (reference: string, changes: object = {}): string =>
      String(post('/payments', payment(reference, changes)).body.pspReference),
    /** Modifies a payment by its psp reference. */
    modify: (psp: string, verb: string, reference: string, value?: number): Answer =>
      post(`/payments/${psp}/${verb}`, {
        merchantAccount: TEST_ACCOUNT.merchantAccount,
        reference,
        ...(value === undefined ? {} : { amount: { value, currency: 'EUR' } }),
      }),
    /** The events that are owed: code, success and reference of each. */
    events: (owed: ReturnType<AdyenDouble['webhooks']>) =>
      owed.map(({ item }) => [item.eventCode, item.success, item.merchantReference]),
  };
}
