import type { CheckoutDouble } from './double.ts';

export type Called = { readonly status: number; readonly json: Readonly<Record<string, unknown>> };

/** The body of a payment by card. */
export const paymentBody = ({ channel }: Pick<CheckoutDouble, 'channel'>, changes: object = {}) => ({
  source: { type: 'card', number: '4242424242424242', expiry_month: 3, expiry_year: 2030, cvv: '100' },
  ...{ amount: 1299, currency: 'EUR', processing_channel_id: channel, ...changes },
});

/** Calls the API without the connector. */
export async function callDouble(
  double: CheckoutDouble,
  call: string,
  body: object | null = null,
  key?: string,
): Promise<Called> {
  const [method = '', path = ''] = call.split(' ');
  const secret = path === '/tokens' ? double.publicKey : double.secretKey;
  const answer = await double.handle({
    ...{ method, path, body: body === null ? '' : JSON.stringify(body) },
    headers: {
      ...{ authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(key !== undefined && { 'cko-idempotency-key': key }),
    },
  });
  if (answer === null) throw new Error('The connection ended without an answer.');
  const json = (answer.body === '' ? {} : JSON.parse(answer.body)) as Called['json'];
  return { status: answer.status, json };
}

/** Makes a sale whose capture is decided. Returns its id. */
export async function saleAt(double: CheckoutDouble): Promise<string> {
  const { json } = await callDouble(double, 'POST /payments', paymentBody(double));
  double.hands.decideOpen();
  return String(json['id']);
}
