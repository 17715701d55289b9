import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../../src/modules/transactions/index.ts';
import { expireApprovals } from '../../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import { setFailpoint } from '../../../src/platform/failpoint.ts';
import { resultOf } from './native-steps.ts';
import {
  actionIn,
  beginAt,
  FINGERPRINT_ALONE,
  startNativeShop,
  type Begun,
  type NativeShop,
} from './native-shop.ts';

const HOUR_MS = 3_600_000;

/** Longer than the deadline of Adyen, after which recovery takes over. */
const AFTER_MS = 120_000;

let shop: NativeShop;
let removeFailpoint = (): void => undefined;

beforeAll(async () => {
  shop = await startNativeShop();
});
afterAll(() => shop.stop());
beforeEach(() => {
  shop.double.behave();
  shop.double.webhooks();
});
afterEach(() => removeFailpoint());

const begin = (input?: Readonly<Record<string, unknown>>) => beginAt(shop, input);
const isHeld = async ({ id }: Begun) => (await shop.book(id)).authorised;

async function reconcileAfter(ms: number): Promise<void> {
  await shop.harness.pass(ms);
  await expireApprovals(shop.harness.server.app.db, shop.harness.clock.now());
  await reconcileDue(shop.harness.server.app);
}

describe('a buyer who never comes back', () => {
  it('ends the payment with the window, and at Adyen too', async () => {
    const begun = await begin();
    const challenged = await shop.complete(begun.url, resultOf(begun.action));
    await reconcileAfter(HOUR_MS);
    expect(await shop.show(begun.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'incomplete_buyer_approval' },
    });
    await shop.deliver();
    expect([(await shop.book(begun.id)).status, await isHeld(begun)]).toEqual(['cancelled', 0]);
    expect(await shop.complete(begun.url, resultOf(actionIn(challenged)))).toMatchObject({
      ...{ status: 'authorization_failed', action: null },
    });
  });

  it('at a page of Adyen still waits for the webhook', async () => {
    const { id } = await shop.pay({ connectionOptions: null });
    await reconcileAfter(HOUR_MS);
    expect((await shop.show(id))['status']).toBe('BUYER_APPROVAL_PENDING');
  });

  it('does not end a payment with a result that may still be under way', async () => {
    const begun = await begin();
    shop.double.failNext('lose_answer');
    await shop.complete(begun.url, resultOf(begun.action));
    shop.double.failNext('lose_answer');
    await reconcileAfter(AFTER_MS);
    await reconcileAfter(AFTER_MS);
    expect((await shop.session(begun)).session_data.action.subtype).toBe('challenge');
    await reconcileAfter(HOUR_MS);
    expect((await shop.show(begun.id))['status']).toBe('BUYER_APPROVAL_PENDING');
    await reconcileAfter(13 * HOUR_MS);
    expect(await shop.show(begun.id)).toMatchObject({ errorCode: 'incomplete_buyer_approval' });
    await shop.deliver();
    expect([(await shop.book(begun.id)).status, await isHeld(begun)]).toEqual(['cancelled', 0]);
  });

  it('of a payment with an unanswered result does not end it', async () => {
    const begun = await begin({ paymentMethod: { card: FINGERPRINT_ALONE } });
    shop.double.failNext('lose_answer');
    expect(await shop.complete(begun.url, resultOf(begun.action))).toMatchObject({
      ...{ status: 'buyer_approval_pending', action: null },
    });
    await reconcileAfter(2 * HOUR_MS);
    expect((await shop.show(begun.id))['status']).toBe('AUTHORIZATION_SUCCEEDED');
  });
});

describe('a process that dies', () => {
  const die = (point: string) => {
    removeFailpoint = setFailpoint(point, () => {
      removeFailpoint();
      throw new Error('The process died.');
    });
  };

  it.each([
    'approval.completing',
    'approval.carrying_out',
    'approval.carried_out',
    'authorize.accepting',
    'authorize.accepted',
  ])('during the first result (%s) leaves the challenge to recovery', async (point) => {
    const begun = await begin();
    const before = shop.keysAt('/payments/details').length;
    die(point);
    await shop.post(begun.url, resultOf(begun.action));
    await reconcileAfter(AFTER_MS);
    const { action } = (await shop.session(begun)).session_data;
    expect(action.subtype).toBe('challenge');
    expect(new Set(shop.keysAt('/payments/details').slice(before)).size).toBe(1);
    expect(await shop.complete(begun.url, resultOf(action))).toMatchObject({
      status: 'authorization_succeeded',
    });
    expect(await isHeld(begun)).toBe(1299);
  });

  it('during the creation leaves the same action to recovery', async () => {
    die('authorize.called');
    await expect(shop.pay({}, 'died-at-creation')).rejects.toThrow('INTERNAL_SERVER_ERROR');
    await reconcileAfter(AFTER_MS);
    const begun = await shop.pay({}, 'died-at-creation');
    expect((await shop.session(begun)).session_data.action.subtype).toBe('fingerprint');
  });

  it('a repeated result gets the present step again', async () => {
    const begun = await begin();
    const first = await shop.complete(begun.url, resultOf(begun.action));
    expect(await shop.complete(begun.url, resultOf(begun.action))).toEqual(first);
    expect(await shop.complete(begun.url, resultOf(actionIn(first)))).toMatchObject({
      status: 'authorization_succeeded',
    });
  });

  it('in the middle of a result leaves room for a result that comes twice at once', async () => {
    const begun = await begin();
    const answers = await Promise.all([1, 2, 3].map(() => shop.post(begun.url, resultOf(begun.action))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { action } = await shop.complete(begun.url, resultOf(begun.action));
    expect(action?.subtype).toBe('challenge');
    expect(await shop.complete(begun.url, resultOf(actionIn({ action })))).toMatchObject({
      status: 'authorization_succeeded',
    });
  });
});
