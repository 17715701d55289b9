import { afterAll, describe, expect, it } from '@jest/globals';
import { callBooks, callPaymentOf } from '../../../src/connectors/calls/call-books.ts';
import { readWebhook } from '../../../src/connectors/reading/read-webhook.ts';
import { booksOf, factsOf } from '../read-books.ts';
import { LOG, startDesk, USD } from './double-desk.ts';
import { trusting } from './stand.ts';

const desk = await startDesk();
const { double, paypal, contextOf, paid, captured, bookOf, now } = desk;
const by = double.elsewhere;
const reader = trusting(double.certificate.root());
afterAll(() => desk.close());

/** Reads everything that the double owes, as the core reads it. */
function told() {
  const { credentials, definition } = contextOf();
  return double.webhooks().flatMap(({ headers, body }) => {
    const request = {
      ...{ headers, rawBody: Buffer.from(body), credentials, definition },
      ...({ environment: 'sandbox', now: now(), material: double.certificate.chain() } as const),
    };
    const read = readWebhook(reader, request, LOG);
    if (!read.ok) throw new Error(`${read.refusals[0]}: ${body}`);
    return read.value.notices;
  });
}

async function authorized() {
  const payment = await paid();
  told();
  const [authorization] = bookOf(payment.reference)?.authorizations ?? [];
  return { ...payment, authorization: authorization?.id ?? '' };
}

const read = (reference: string) => booksOf(paypal, contextOf(), LOG, reference);

describe("an operation in PayPal's pages", () => {
  it('is a capture beside one of ours', async () => {
    const { reference, authorization } = await authorized();
    const ours = await captured(reference, 300, false);
    const id = by.capture(authorization, 500);
    const facts = factsOf(told());
    expect(facts).toMatchObject([
      { verb: 'capture', key: ours.key, amount: 300 },
      {
        ...{ verb: 'capture', key: null, reference: id, paymentReference: reference, amount: 500 },
        final: true,
      },
    ]);
    const books = await read(reference);
    expect(books).toMatchObject({ state: 'closed', authorized: USD(1099) });
    for (const fact of facts) expect(factsOf(books.notices)).toContainEqual(fact);
    expect(bookOf(reference)).toMatchObject({ captured: 800 });
  });

  it('is a refund of a capture, which the refund names', async () => {
    const { reference } = await authorized();
    const ours = await captured(reference, 1099);
    told();
    const id = by.refund(ours.reference, 400);
    const [fact] = factsOf(told());
    expect(fact).toMatchObject({
      ...{ verb: 'refund', reference: id, amount: 400, capture: ours.reference, kind: 'succeeded' },
    });
    expect(fact?.key).not.toBe(ours.key);
    const books = await read(reference);
    expect(factsOf(books.notices)).toContainEqual({ ...fact, key: null, paymentReference: reference });
    expect(bookOf(reference)).toMatchObject({ refunded: 400 });
    expect(() => by.refund(ours.reference, 700)).toThrow(/REFUND_AMOUNT_EXCEEDED|UNPROCESSABLE/);
  });

  it('is a refund of a sale with the names of the sale', async () => {
    const { reference, key } = await paid({ capture: true });
    told();
    const [sale] = bookOf(reference)?.captures ?? [];
    const id = by.refund(sale?.id ?? '');
    // PayPal copies the name of the sale. The core takes the key under another verb for the payment.
    expect(factsOf(told())).toMatchObject([
      { verb: 'refund', key, reference: id, amount: 1099, capture: sale?.id },
    ]);
    expect(await callPaymentOf(paypal, contextOf(), LOG, { captureReference: sale?.id ?? '' })).toEqual({
      ...{ kind: 'found', reference },
    });
    expect((await read(reference)).state).toBe('closed');
  });

  it('is a void, and an end of the authorisation', async () => {
    const { reference, key, authorization } = await authorized();
    by.void(authorization);
    const notices = told();
    expect(notices).toMatchObject([
      { verb: 'void', key: null, authorizationKey: key, paymentReference: reference },
    ]);
    const books = await read(reference);
    expect(books.state).toBe('voided');
    expect(factsOf(books.notices)).toEqual(factsOf(notices));
  });

  it('has books that are null for an unknown order', async () => {
    const request = { reference: 'UNKNOWN', createdAt: new Date(0), currency: 'USD' };
    expect(await callBooks(paypal, contextOf(), LOG, request)).toBeNull();
    expect(await callPaymentOf(paypal, contextOf(), LOG, { captureReference: 'UNKNOWN' })).toBeNull();
  });
});
