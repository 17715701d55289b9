import { beforeEach, describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../../../src/http/checkout/look/language.ts';
import { send, visit } from '../../payment-links/form.ts';
import type { Link } from '../../payment-links/harness.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import { postWebhooks } from '../double-server.ts';
import { connect } from '../kit/service.ts';
import { openShop } from '../kit/shop.ts';
import { CREDENTIALS } from './double.ts';
import { startAdyen } from './start.ts';

/** Longer than the storing process owns a webhook. */
const APPLIED_MS = 12_000;

const RETURN = 'https://shop.example/back?cart=7';

const shop = await openShop((now) => startAdyen({ now }));
const { double, harness } = shop;
const serviceFor = (definition: string, currency: string, country: string) =>
  connect(harness, definition, CREDENTIALS, { acceptedCurrencies: [currency], acceptedCountries: [country] });
const [ofCodes, ofVouchers, ofPushes] = await Promise.all([
  serviceFor('adyen-paynow', 'SGD', 'SG'),
  serviceFor('adyen-multibanco', 'EUR', 'PT'),
  serviceFor('adyen-mbway', 'EUR', 'PT'),
]);
beforeEach(() => void double.webhooks());

type Shown = {
  readonly id: string;
  readonly status: string;
  readonly approvalUrl: string | null;
  readonly paymentReference: string | null;
  readonly approvalExpiresAt: string | null;
};

const show = async (id: string) => (await harness.ask<{ transaction: Shown }>(SHOWN, { id })).transaction;

const SHOWN = `query ($id: ID!) { transaction(id: $id) {
  id status approvalUrl approvalExpiresAt paymentReference capturedAmount errorCode } }`;

/** Begins a payment of a method, and shows the payment. */
async function begin(method: string, input: Readonly<Record<string, unknown>>) {
  const { transaction, userErrors } = await harness.create({
    ...{ paymentMethod: { redirect: { method } }, intent: 'CAPTURE', redirectUrl: RETURN, ...input },
  });
  if (!transaction) throw new Error(JSON.stringify(userErrors));
  return show(transaction.id);
}

/** The clock of the server runs on, so the last minute has begun. */
const minutesUntil = (moment: string | null): number =>
  Math.ceil((Date.parse(moment ?? '') - harness.clock.now().getTime()) / 60_000);

const byCode = () => begin('paynow', { amount: 1299, currency: 'SGD', country: 'SG' });
const byVoucher = () => begin('multibanco', { amount: 1299, currency: 'EUR', country: 'PT' });

const open = (url: string | null, language = 'en') =>
  fetch(url ?? '', { redirect: 'manual', headers: { 'accept-language': language } });

/** Lets the buyer of the last payment pay, and delivers the webhook. */
async function approve(service: { readonly webhookUrl: string }) {
  double.decideElsewhere(double.books().at(-1)?.reference ?? '', 'approve');
  expect(new Set(await postWebhooks(service.webhookUrl, double.webhooks()))).toEqual(new Set([200]));
  await applyAfter(harness, APPLIED_MS);
}

describe('a payment by a code', () => {
  it('has a page of ours that shows the code, in the languages of the payment page', async () => {
    const paying = await byCode();

    expect(paying).toMatchObject({ status: 'BUYER_APPROVAL_PENDING', paymentReference: null });
    expect(paying.approvalUrl).toMatch(new RegExp(`^${harness.server.url}/code/[0-9a-f]{32}$`));
    const { pspReference } = double.books().at(-1) ?? {};
    for (const [language, { codeTitle, codeText, codeOpen, validUntil }] of Object.entries(LANGUAGES)) {
      const page = await open(paying.approvalUrl, language);
      const text = await page.text();
      expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
      for (const part of [codeTitle, codeText, validUntil]) expect(text).toContain(part);
      expect(text).toContain(`data-copy="00020101021226${pspReference}"`);
      expect(text).toContain(`app?code=${pspReference}">${codeOpen}</a>`);
      expect(text).toMatch(/<path fill="#000" d="(M\d+ \d+h1v1h-1z){200,}"/);
    }
  });

  it('ends with the code of the provider, and says when', async () => {
    const { approvalUrl, approvalExpiresAt } = await byCode();

    expect(minutesUntil(approvalExpiresAt)).toBe(15);
    expect(await (await open(approvalUrl)).text()).toContain(`<time datetime="${approvalExpiresAt}"`);
  });

  it('keeps the code sealed, and forgets the code with the decision', async () => {
    const { id } = await byCode();
    const sealed = async () =>
      (await shop.prisma.operation.findFirst({ where: { transactionId: id } }))?.sealedForm;

    expect(await sealed()).toEqual(expect.not.stringContaining('000201'));
    await approve(ofCodes);

    expect(await sealed()).toBeNull();
  });

  it('has the page after a lost answer, too', async () => {
    double.failNext('lose_answer');
    const { id, status } = await byCode();
    expect(status).toBe('PROCESSING');
    await reconcileAfter(harness, 120_000);

    const found = await show(id);
    expect(found.status).toBe('BUYER_APPROVAL_PENDING');
    expect(await (await open(found.approvalUrl)).text()).toContain('data-copy="000201');
  });

  it('leads back to the merchant once the webhook has told the payment', async () => {
    const { id, approvalUrl } = await byCode();
    await approve(ofCodes);

    expect(await show(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    const page = await open(approvalUrl);
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      `${RETURN}&transaction_id=${id}&transaction_status=capture_succeeded`,
    ]);
  });

  it.each([
    ['ar', '#0a7d33'],
    ['de', '#f5d000'],
  ] as const)('of a link has the look and the language of the link: %s', async (locale, color) => {
    const link = await linkIn(locale, {
      ...{ currency: 'SGD', country: 'SG', externalIdentifier: 'order-7' },
      ...{ merchantName: 'Kakao & Co', merchantColor: color, merchantUrl: 'https://kakao.example/' },
    });
    const { codeTitle, codeText } = LANGUAGES[locale];
    const { location } = await send(link, await visit(link), { method: 'paynow' });
    expect(location).toMatch(new RegExp(`^${harness.server.url}/code/`));

    // The browser asks for English.
    const html = await (await open(location)).text();

    expect(html).toContain(`<html lang="${locale}"`);
    for (const text of [codeTitle, codeText, 'Kakao &amp; Co', 'order-7', 'href="https://kakao.example/"'])
      expect(html).toContain(text);
    expect(html).toContain(`--brand:${color}`);
  });

  it('of a link is asked about without the cart and the merchant account', async () => {
    const cartItems = [
      { name: 'Cocoa', quantity: 1, unitAmount: 1299, imageUrl: 'https://kakao.example/c.png' },
    ];
    const link = await linkIn('de', { currency: 'SGD', country: 'SG', cartItems });
    const { location } = await send(link, await visit(link), { method: 'paynow' });
    const { db } = harness.server.app;
    const query = db.query.bind(db);
    const sent: { readonly name: string | null; readonly text: string }[] = [];
    Object.assign(db, {
      query: (statement: Parameters<typeof query>[0]) => (sent.push(statement), query(statement)),
    });

    const html = await (await open(location)).text();

    Object.assign(db, { query });
    expect(html).toContain('data-state="code"');
    expect(sent.filter(({ text }) => text.includes('payment_link')).map(({ name }) => name)).toEqual([
      'approval_find_by_token',
      'read_payment_links_look',
    ]);
    expect(
      sent.some(({ text }) => text.includes('cart_items') || text.includes('FROM merchant_account')),
    ).toBe(false);
  });

  it('has no page under another token, and none that posts a form', async () => {
    const { approvalUrl } = await byCode();
    const wrong = (approvalUrl ?? '').replace(/.{32}$/, 'f'.repeat(32));

    expect((await open(wrong)).status).toBe(404);
    expect((await open((approvalUrl ?? '').replace('/code/', '/go/'))).status).toBe(303);
  });
});

describe('a payment with a voucher', () => {
  it('has the reference of the provider, is paid days later, and is never refunded', async () => {
    const { id, ...paying } = await byVoucher();
    expect(paying).toMatchObject({ status: 'PROCESSING', paymentReference: '12101 501422944' });
    harness.clock.advance(3 * 86_400_000);
    await approve(ofVouchers);
    expect(await show(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });

    const calls = double.calls.length;
    const refunded = await harness.refund(id, { amount: 100 });

    expect(refunded.userErrors).toHaveLength(1);
    expect(double.calls.length).toBe(calls);
  });
});

describe('a voucher that ends', () => {
  const DAY_MS = 86_400_000;

  it('is not given up while a shop may still tell of it', async () => {
    const { id, approvalExpiresAt } = await byVoucher();
    expect(minutesUntil(approvalExpiresAt)).toBe(3 * 1440);

    await reconcileAfter(harness, 12 * DAY_MS);
    expect(await show(id)).toMatchObject({ status: 'PROCESSING' });
    await approve(ofVouchers);

    expect(await show(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });
});

describe('a payment in an app', () => {
  it('waits without a page, and is decided by the webhook', async () => {
    const billingDetails = { emailAddress: 'ada@example.com', phoneNumber: '+351912345678' };
    const paying = await begin('mbway', {
      ...{ amount: 1299, currency: 'EUR', country: 'PT', buyer: { billingDetails } },
    });
    expect(paying).toMatchObject({ status: 'CAPTURE_PENDING', approvalUrl: null, paymentReference: null });
    await approve(ofPushes);

    expect(await show(paying.id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
  });

  it('fails before the call without the data of the buyer, and names them', async () => {
    const calls = double.calls.length;
    const paying = await begin('mbway', { amount: 1299, currency: 'EUR', country: 'PT' });

    expect(paying).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'invalid_request_parameters' });
    expect(double.calls.length).toBe(calls);
  });
});

describe('a link that is paid with a voucher', () => {
  it.each(['en', 'ar'] as const)('shows the reference, and a way to copy it: %s', async (locale) => {
    const texts = LANGUAGES[locale];
    const link = await linkIn(locale, { merchantColor: '#0a7d33' });
    const first = await visit(link);
    expect(first.html).toContain('Multibanco');
    const { html } = await send(link, first, { method: 'multibanco' });

    expect(html).toContain(`<html lang="${locale}"`);
    expect(html).toContain('--brand:#0a7d33');
    expect(html).toContain(texts.voucherTitle);
    expect(html).toContain('<bdi dir="ltr">12101 501422944</bdi>');
    expect(html).toMatch(new RegExp(`<dt>${texts.validUntil}</dt>\\s*<dd><time datetime="`));
    expect(html).toContain(`data-copy="12101 501422944" data-copied="${texts.copied}" hidden`);
    await approve(ofVouchers);

    expect((await visit(link)).html).toContain(texts.completedTitle);
  });
});

describe('a link with methods that need data of the buyer', () => {
  it('offers them to a buyer with the data alone', async () => {
    const billingDetails = { emailAddress: 'ada@example.com', phoneNumber: '+351912345678' };
    const [without, incomplete, whole] = await Promise.all([
      linkIn('en'),
      linkIn('en', { buyer: { billingDetails: { ...billingDetails, phoneNumber: '+3519' } } }),
      linkIn('en', { buyer: { billingDetails } }),
    ]);

    expect((await visit(without)).html).not.toContain('MB WAY');
    expect((await visit(incomplete)).html).not.toContain('MB WAY');
    expect((await visit(whole)).html).toContain('MB WAY');
  });
});

async function linkIn(locale: string, more: object = {}): Promise<Link> {
  const input = { amount: 1299, currency: 'EUR', country: 'PT', intent: 'CAPTURE', locale, ...more };
  const { made } = await harness.ask<{ made: { paymentLink: Link } }>(
    `mutation ($input: CreatePaymentLinkInput!) { made: createPaymentLink(input: $input) { paymentLink { id url } } }`,
    { input },
  );
  return made.paymentLink;
}
