import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tokenFor } from '../../../src/modules/transactions/awaiting/session-token.ts';
import { CARD_FIELDS, send, visit } from '../../payment-links/form.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import { resultOf } from './native-steps.ts';
import {
  actionIn,
  BOTH,
  NATIVE,
  beginAt,
  CLIENT_KEY,
  FINGERPRINT_ALONE,
  RETURN,
  startNativeShop,
  type Begun,
  type NativeShop,
} from './native-shop.ts';

/** Longer than the deadline of Adyen, after which recovery takes over. */
const AFTER_MS = 120_000;

let shop: NativeShop;

beforeAll(async () => {
  shop = await startNativeShop();
});
afterAll(() => shop.stop());
beforeEach(() => {
  shop.double.behave();
  shop.double.webhooks();
});

const isHeld = async ({ id }: Begun) => (await shop.book(id)).authorised;

const begin = (input?: Readonly<Record<string, unknown>>) => beginAt(shop, input);

describe('a payment with native 3-D Secure', () => {
  it('hands out the fingerprint, then the challenge, and is authorised after both', async () => {
    const begun = await begin();
    expect(await shop.show(begun.id)).toMatchObject({
      ...{ status: 'BUYER_APPROVAL_PENDING', approvalUrl: null, authorizedAmount: 0 },
    });
    expect(begun.data).toMatchObject({
      ...{ client_id: CLIENT_KEY, merchant_id: 'TestMerchant', funding_source: 'card', approval_url: null },
      action: { type: 'threeDS2', subtype: 'fingerprint', token: expect.any(String) },
    });

    const challenged = await shop.complete(begun.url, resultOf(begun.action));
    expect(challenged).toEqual({
      ...{ transaction_id: begun.id, status: 'buyer_approval_pending', redirect_url: null },
      action: expect.objectContaining({ type: 'threeDS2', subtype: 'challenge' }),
    });
    expect((await shop.session(begun)).session_data.action).toEqual(challenged.action);
    expect(await isHeld(begun)).toBe(0);

    expect(await shop.complete(begun.url, resultOf(actionIn(challenged)))).toEqual({
      ...{ transaction_id: begun.id, status: 'authorization_succeeded', action: null },
      redirect_url: `${RETURN}?transaction_id=${begun.id}&transaction_status=authorization_succeeded`,
    });
    const { pspReference, authorised } = await shop.book(begun.id);
    expect([await shop.show(begun.id), authorised]).toMatchObject([
      {
        status: 'AUTHORIZATION_SUCCEEDED',
        authorizedAmount: 1299,
        paymentServiceTransactionId: pspReference,
      },
      1299,
    ]);
    expect((await shop.exchange(begun)).status).toBe(409);
  });

  it('asks Adyen for the software of the client, with the origin of its page', async () => {
    await begin({ paymentMethod: { card: FINGERPRINT_ALONE } });
    expect(JSON.parse(shop.double.calls.at(-1)?.body ?? '')).toMatchObject({
      authenticationData: { threeDSRequestData: { nativeThreeDS: 'preferred' } },
      ...{ channel: 'Web', origin: 'https://shop.example' },
    });
  });

  it.each([
    ['IOS', 'iOS'],
    ['ANDROID', 'Android'],
  ])('works in an app for %s, without a page', async (integrationClient, channel) => {
    const begun = await begin({
      ...{ integrationClient, browserInfo: null, paymentMethod: { card: FINGERPRINT_ALONE } },
      connectionOptions: { 'adyen-card': { nativeThreeDSecure: true } },
    });
    expect(JSON.parse(shop.double.calls.at(-1)?.body ?? '')).toMatchObject({ channel });
    expect(await shop.complete(begun.url, resultOf(begun.action))).toMatchObject({
      status: 'authorization_succeeded',
    });
  });

  it('is declined after a failed challenge, and holds nothing', async () => {
    const begun = await begin();
    const challenged = await shop.complete(begun.url, resultOf(begun.action));
    expect(await shop.complete(begun.url, resultOf(actionIn(challenged), false))).toMatchObject({
      ...{ status: 'authorization_failed', action: null },
    });
    expect(await shop.show(begun.id)).toMatchObject({ errorCode: 'failed_buyer_approval' });
    expect(await isHeld(begun)).toBe(0);
  });

  it('goes on waiting after a wrong result, and takes the right one', async () => {
    const begun = await begin({ paymentMethod: { card: FINGERPRINT_ALONE } });
    const wrong = { details: { threeDSResult: 'bm9uc2Vuc2U=' } };
    expect(await shop.complete(begun.url, wrong)).toMatchObject({
      ...{ status: 'buyer_approval_pending', action: begun.action },
    });
    expect(await shop.complete(begun.url, resultOf(begun.action))).toMatchObject({
      status: 'authorization_succeeded',
    });
  });

  it('is not paid by the result of another payment', async () => {
    const paid = { paymentMethod: { card: FINGERPRINT_ALONE } };
    const [mine, other] = [await begin(paid), await begin(paid)];
    expect(await shop.complete(mine.url, resultOf(other.action))).toMatchObject({
      ...{ status: 'buyer_approval_pending', action: mine.action },
    });
    expect([await isHeld(mine), (await shop.show(mine.id))['authorizedAmount']]).toEqual([0, 0]);
    expect(await shop.complete(mine.url, resultOf(mine.action))).toMatchObject({
      status: 'authorization_succeeded',
    });
    await shop.deliver();
    await applyAfter(shop.harness, 12_000);
    expect((await shop.show(other.id))['status']).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it('completes nothing by a GET, and goes on with the results', async () => {
    const begun = await begin({ paymentMethod: { card: FINGERPRINT_ALONE } });
    const { status } = await fetch(begun.url, { redirect: 'manual' });
    expect([status, await isHeld(begun)]).toEqual([303, 0]);
    expect(await shop.complete(begun.url, resultOf(begun.action))).toMatchObject({
      status: 'authorization_succeeded',
    });
  });

  it('takes results from every origin, and refuses what it cannot read', async () => {
    const begun = await begin();
    const preflight = await fetch(begun.url, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST']);
    const large = { details: { threeDSResult: 'x'.repeat(20_001) } };
    const refused = await Promise.all(
      [{}, { details: { threeDSResult: 1 } }, [], 'text', large].map((body) => shop.post(begun.url, body)),
    );
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(refused[0]?.headers.get('access-control-allow-origin')).toBe('*');
    const elsewhere = begun.url.replace(/[0-9a-f]{32}$/, '0'.repeat(32));
    expect((await shop.post(elsewhere, resultOf(begun.action))).status).toBe(404);
  });

  it('takes no result before its session is open', async () => {
    const { id } = await shop.pay();
    const { app, url } = shop.harness.server;
    const [operation] = await app.db.prisma.operation.findMany({ where: { transactionId: id } });
    if (!operation) throw new Error('The payment has no operation.');
    const token = await tokenFor(app, 'completion', operation);
    const answer = await shop.post(`${url}/complete/${token}`, { details: { threeDSResult: 'eyJ9' } });
    expect([
      answer.status,
      shop.keysAt('/payments/details').some((key) => key.startsWith(operation.id)),
    ]).toEqual([409, false]);
  });

  it('keeps actions and results out of the log, and sealed in the database', async () => {
    const begun = await begin();
    const { prisma } = shop.harness.server.app.db;
    const stored = await prisma.operation.findFirst({ where: { transactionId: begun.id } });
    const approval = await prisma.approval.findFirst({ where: { operationId: stored?.id ?? '' } });
    expect(stored?.sealedForm).toEqual(expect.any(String));
    expect(inspect([stored, approval])).not.toContain(begun.action.authorisationToken);
    const result = resultOf(begun.action);
    await shop.complete(begun.url, result);
    expect(shop.harness.server.logs()).not.toContain(begun.action.authorisationToken);
    expect(shop.harness.server.logs()).not.toContain(result.details.threeDSResult);
  });
});

describe('a client that cannot', () => {
  it('without the option is led to the page of Adyen', async () => {
    const begun = await shop.pay({ connectionOptions: null });
    expect(begun.token).toBeNull();
    expect(await shop.show(begun.id)).toMatchObject({
      ...{ status: 'BUYER_APPROVAL_PENDING', approvalUrl: expect.stringMatching(/^https:/) },
    });
    expect(JSON.parse(shop.double.calls.at(-1)?.body ?? '')).toMatchObject({
      authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
    });
  });

  it('without a client is led to the page, whatever the option says', async () => {
    const { id } = await shop.pay({ integrationClient: null });
    expect((await shop.show(id))['approvalUrl']).toEqual(expect.stringMatching(/^https:/));
  });

  it.each([
    undefined,
    'https://shop.example/path',
    'http://shop.example',
    'shop',
    `https://${'a'.repeat(80)}.de`,
  ])('with the page %s fails before the call', async (origin) => {
    const before = shop.double.calls.length;
    const options = { nativeThreeDSecure: true, ...(origin !== undefined && { window_origin: origin }) };
    const { id } = await shop.pay({ connectionOptions: { 'adyen-card': options } });
    expect(await shop.show(id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'invalid_request_parameters' },
    });
    expect(shop.double.calls.length).toBe(before);
  });

  it('on the page of a link is led to the page, whatever the option says', async () => {
    const { payload } = await shop.harness.ask<{ payload: { link: { url: string } } }>(
      `mutation ($input: CreatePaymentLinkInput!) { payload: createPaymentLink(input: $input) { link: paymentLink { url } } }`,
      {
        input: {
          ...{ amount: 1399, currency: 'EUR', country: 'DE' },
          connectionOptions: NATIVE.connectionOptions,
        },
      },
    );
    await send(payload.link, await visit(payload.link), { ...CARD_FIELDS, number: BOTH.number });
    const body = shop.double.calls.findLast(({ path }) => path.endsWith('/payments'))?.body ?? '{}';
    expect(JSON.parse(body)).toMatchObject({
      authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
      ...{ amount: { value: 1399 }, origin: expect.stringMatching(/^http:/) },
    });
  });

  it('is asked anyway: the payment ends at once, and at Adyen too', async () => {
    shop.double.askAnyway();
    const begun = await shop.pay({ connectionOptions: null });
    expect(begun.token).toBeNull();
    expect(await shop.show(begun.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'requires_buyer_authentication' },
      rawResponseCode: 'IdentifyShopper',
    });
    await shop.deliver();
    await applyAfter(shop.harness, 12_000);
    expect([(await shop.book(begun.id)).status, await isHeld(begun)]).toEqual(['cancelled', 0]);
    expect((await shop.show(begun.id))['status']).toBe('AUTHORIZATION_FAILED');
  });

  it('is asked anyway, and the answer to the cancel is lost: the same cancel is sent again', async () => {
    shop.double.askAnyway();
    const before = shop.keysAt('/cancels').length;
    shop.double.failNextOf('POST /v71/cancels', 'lose_answer');
    const { id } = await shop.pay({ connectionOptions: null });
    expect((await shop.show(id))['status']).toBe('PROCESSING');
    await reconcileAfter(shop.harness, AFTER_MS);
    expect(await shop.show(id)).toMatchObject({ errorCode: 'requires_buyer_authentication' });
    const keys = shop.keysAt('/cancels').slice(before);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });
});

describe('a payment at the page of Adyen', () => {
  it('is not paid by the return of another payment, and goes on with its own', async () => {
    const [mine, other] = [
      await shop.pay({ connectionOptions: null }),
      await shop.pay({ connectionOptions: null }),
    ];
    const returned = async ({ id }: Begun) =>
      new URLSearchParams(shop.double.comeBack((await shop.book(id)).reference, 'approve')).toString();
    const comeBack = async (to: Begun, query: string) =>
      fetch(`${await shop.returnUrl(to.id)}?${query}`, { redirect: 'manual' });

    const stranger = await comeBack(mine, await returned(other));
    expect(stranger.headers.get('location')).toContain('transaction_status=buyer_approval_pending');
    expect([await isHeld(mine), (await shop.show(mine.id))['authorizedAmount']]).toEqual([0, 0]);
    const wrong = await comeBack(mine, 'redirectResult=nonsense');
    expect(wrong.headers.get('location')).toContain('transaction_status=buyer_approval_pending');

    const own = await comeBack(mine, await returned(mine));
    expect(own.headers.get('location')).toContain('transaction_status=authorization_succeeded');
    await shop.deliver();
    await applyAfter(shop.harness, 12_000);
    expect((await shop.show(other.id))['status']).toBe('AUTHORIZATION_SUCCEEDED');
  });
});

describe('a cancel of a payment whose client has not finished', () => {
  it('ends the payment, and a later result changes nothing', async () => {
    const begun = await begin();
    const { transaction } = await shop.harness.cancel(begun.id);
    expect(transaction?.status).not.toBe('AUTHORIZATION_SUCCEEDED');
    await shop.deliver();
    await applyAfter(shop.harness, 12_000);
    await shop.post(begun.url, resultOf(begun.action));
    expect([(await shop.show(begun.id))['status'], await isHeld(begun)]).toEqual(['AUTHORIZATION_FAILED', 0]);
  });
});
