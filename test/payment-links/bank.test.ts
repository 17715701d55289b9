import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findLinkMethods, payLink } from '../../src/modules/payment-links/index.ts';
import { ACCOUNTS, addBank, debitsOf, decideDebits } from './bank-shop.ts';
import { debitKeyOf, send, visit, type Words } from './form.ts';
import { startLinks, type Link, type LinksHarness } from './harness.ts';

let harness: LinksHarness;
let first: string;
beforeAll(async () => {
  harness = await startLinks();
  first = await addBank(harness, { currencies: ['EUR', 'GBP'], countries: ['DE', 'GB'] });
  await addBank(harness, { displayName: 'Second debits', currencies: ['EUR'], countries: ['DE', 'FR'] });
});
afterAll(() => harness.stop());

const EURO = { currency: 'EUR', country: 'DE', intent: 'CAPTURE' };
const FIELDS: Words = { method: 'bank', mandate: 'accepted', ...ACCOUNTS.EUR };

/** Sends the form of the debit, with its own key. */
async function debit(link: Link, change: Words = {}) {
  const visited = await visit(link);
  const formKey = debitKeyOf(visited.html) || visited.formKey;
  return send(link, { ...visited, formKey }, { ...FIELDS, ...change });
}

/** Creates a buyer and returns its id. */
const buyer = async (): Promise<string> =>
  (
    await harness.ask<{ buyer: { id: string } }>(
      'mutation { answer: createBuyer(input: { displayName: "Jane" }) { buyer { id } } }',
    )
  ).buyer.id;

const statusOf = async ({ id }: Link) => (await harness.read(id))?.status;
const callCount = (): number => harness.provider.calls.length;

describe('a link offers a bank debit', () => {
  it.each([
    ['in euros', {}, 'sepa'],
    ['in pounds', { currency: 'GBP', country: 'GB' }, 'bacs'],
    ['in a currency that no service debits', { currency: 'USD', country: 'US' }, null],
    ['in a country that no service accepts', { country: 'ES' }, null],
    ['that authorises only', { intent: 'AUTHORIZE' }, null],
    ['in a currency without a scheme', { currency: 'CHF' }, null],
  ])('%s', async (_, input, bank) => {
    const link = await harness.made({ ...EURO, ...input });

    expect(await findLinkMethods(harness.server.app, await harness.found(link))).toMatchObject({ bank });
    expect((await visit(link)).html.includes('name="mandate"')).toBe(bank !== null);
  });
});

describe('a debit', () => {
  it('goes to the first service that accepts, and to the next in another country', async () => {
    const [german, french] = [await harness.made(EURO), await harness.made({ ...EURO, country: 'FR' })];
    await Promise.all([debit(german), debit(french)]);
    const services = (await Promise.all([german, french].map((link) => debitsOf(harness, link)))).flat();

    expect(services.map(({ payment_service_id: id }) => id === first)).toEqual([true, false]);
    expect([await statusOf(german), await statusOf(french)]).toEqual(['PROCESSING', 'PROCESSING']);
  });

  it('stores the account of a link that stores, and its mandate covers later payments', async () => {
    const link = await harness.made({ ...EURO, buyerId: await buyer(), store: true });
    await debit(link);
    await decideDebits(harness);

    const [payment] = await debitsOf(harness, link);
    expect(payment?.bank.mandate?.['text']).toContain('and later payments that you agree with');
    const [stored] = await harness.rows<{ status: string; label: string }>(
      `SELECT m.status, m.label FROM payment_method m JOIN transaction t ON t.payment_method_id = m.id
       WHERE t.payment_link_id = $1::uuid`,
      link.id,
    );
    expect(stored).toEqual({ status: 'succeeded', label: '3000' });
  });

  it('without consent pays nothing', async () => {
    const link = await harness.made(EURO);
    const calls = callCount();

    expect(await debit(link, { mandate: '' })).toMatchObject({ status: 422 });
    expect([await statusOf(link), await debitsOf(harness, link), callCount()]).toEqual(['ACTIVE', [], calls]);
  });

  it.each([
    ['another merchant name', 'merchant_name', 'Another merchant'],
    ['later payments', 'store', 'true'],
  ])('is refused when its mandate has changed since: %s', async (_, column, value) => {
    const link = await harness.made({ ...EURO, buyerId: await buyer() });
    const visited = await visit(link);
    const formKey = debitKeyOf(visited.html);
    await harness.rows(
      `UPDATE payment_link SET ${column} = $2::${column === 'store' ? 'bool' : 'text'} WHERE id = $1::uuid`,
      link.id,
      value,
    );

    expect(await send(link, { ...visited, formKey }, FIELDS)).toMatchObject({ status: 403 });
    expect(await debitsOf(harness, link)).toEqual([]);
  });

  it('needs the key of its own form', async () => {
    const link = await harness.made(EURO);
    const visited = await visit(link);
    const [, cardKey = ''] =
      /<form class="card"[^>]*>\s*<input type="hidden" name="form_key" value="([^"]*)"/.exec(visited.html) ??
      [];

    expect(await send(link, { ...visited, formKey: cardKey }, FIELDS)).toMatchObject({ status: 403 });
    expect(await debitsOf(harness, link)).toEqual([]);
  });

  it.each([
    ['whose service is gone', { ...EURO, country: 'ES' }],
    ['of a link that authorises only', { ...EURO, intent: 'AUTHORIZE' }],
  ])('%s is refused, and leaves the link active', async (_, input) => {
    const link = await harness.made(input);
    const found = await harness.found(link);
    const bank = { scheme: 'sepa', accountNumber: 'DE89370400440532013000' };

    expect(await payLink(harness.server.app, found, { paymentMethod: { bank } })).toMatchObject({
      ...{ ok: false, refusals: [{ kind: 'NoPaymentService' }] },
    });
    expect([await statusOf(link), await debitsOf(harness, link)]).toEqual(['ACTIVE', []]);
  });

  it('is made once when twenty submit at once', async () => {
    const link = await harness.made(EURO);
    const calls = callCount();
    const replies = await Promise.all(Array.from({ length: 20 }, () => debit(link)));

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([303]));
    expect([(await debitsOf(harness, link)).length, callCount() - calls]).toEqual([1, 1]);
  });

  it('whose outcome is unknown keeps its link', async () => {
    const link = await harness.made(EURO);
    harness.provider.failNext('lose_request');
    const { html } = await debit(link);

    expect(html).toContain('Your payment is being processed');
    expect(await statusOf(link)).toBe('PROCESSING');
  });
});
