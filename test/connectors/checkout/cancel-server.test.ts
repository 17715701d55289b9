import { expect, it } from '@jest/globals';
import { ACCEPTANCES, holdPayments, releasePayments } from '../../../src/modules/transactions/index.ts';
import { until } from '../../support/until.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import { openShop } from '../kit/shop.ts';
import { startCheckout } from './start.ts';
import { MINUTE_MS } from './world.ts';

// A running service whose merchant cancels a payment of unknown outcome. The search is late for an hour.

const HOUR_MS = 60 * MINUTE_MS;
const shop = await openShop((now) => startCheckout({ now, searchLagMs: HOUR_MS }));
const { double, harness, service, money } = shop;
const CANCELED = { status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' };

/** Requests a payment, without waiting for its answer. */
const request = (intent: 'AUTHORIZE' | 'CAPTURE' = 'AUTHORIZE') =>
  harness.create({
    ...{ amount: 1299, currency: 'EUR', country: 'US', intent, paymentServiceId: service.id },
    paymentMethod: { card: { number: '4242424242424242', expirationDate: '03/30', securityCode: '100' } },
  });

const payments = () => double.requests.filter(({ method, path }) => `${method} ${path}` === 'POST /payments');

it.each(['AUTHORIZE', 'CAPTURE'] as const)(
  'nothing is paid after the cancel of a lost request: %s',
  async (intent) => {
    const [before, sent] = [double.books().length, payments().length];
    double.failNext(['lose_request'], 'POST /payments');
    const { transaction } = await request(intent);
    const id = transaction?.id ?? '';
    const { operation } = await harness.cancel(id);
    expect(operation).toMatchObject({ status: 'PENDING' });

    await reconcileAfter(harness, HOUR_MS);
    expect(await money(id)).toMatchObject({ status: 'PROCESSING' });
    await reconcileAfter(harness, HOUR_MS + 5 * MINUTE_MS);

    expect(await money(id)).toMatchObject(CANCELED);
    await reconcileAfter(harness, 24 * HOUR_MS);
    expect([double.books().length - before, payments().length - sent]).toEqual([0, 1]);
  },
);

it('the cancel of a payment whose answer was lost releases the payment when the search shows it', async () => {
  double.failNext(['lose_answer'], 'POST /payments');
  const { transaction } = await request();
  const id = transaction?.id ?? '';
  double.webhooks();
  await harness.cancel(id);
  const payment = double.books().at(-1)?.id;
  const book = () => double.books().find((each) => each.id === payment);

  await reconcileAfter(harness, HOUR_MS - 5 * MINUTE_MS);
  expect([await money(id), book()]).toMatchObject([{ status: 'PROCESSING' }, { held: 1299 }]);
  await reconcileAfter(harness, 10 * MINUTE_MS);
  await reconcileAfter(harness, HOUR_MS);
  await shop.deliver();

  expect(book()).toMatchObject({ status: 'Voided', held: 0, captured: 0 });
  expect(await money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED', capturable: { amount: 0 } });
});

it('the cancel of a payment with a slow answer releases the payment', async () => {
  const before = double.books().length;
  double.failNext(['hang'], 'POST /payments');
  const asked = request();
  await until(() => double.books().length > before, 'the work of the double');
  const payment = double.books().at(-1)?.id ?? '';
  const { id } = await harness.server.app.db.prisma.transaction.findFirstOrThrow({ orderBy: { id: 'desc' } });
  expect((await harness.cancel(id)).operation).toMatchObject({ status: 'PENDING' });
  double.release();
  await asked;

  expect(await money(id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 0 } });
  await reconcileAfter(harness, 5 * MINUTE_MS);
  await shop.deliver();

  expect(await money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
  expect(double.books().find((each) => each.id === payment)).toMatchObject({ held: 0, captured: 0 });
});

it('a look-up of the cancel releases nothing while payments are held back', async () => {
  const { app } = harness.server;
  double.failNext(['lose_answer'], 'POST /payments');
  const { transaction } = await request();
  const id = transaction?.id ?? '';
  double.webhooks();
  await harness.cancel(id);
  const payment = double.books().at(-1)?.id;
  const book = () => double.books().find((each) => each.id === payment);
  await holdPayments(app, { restoredTo: app.clock.now(), paymentsSince: null });

  await reconcileAfter(harness, HOUR_MS + 5 * MINUTE_MS);
  await reconcileAfter(harness, HOUR_MS);
  expect([await money(id), book()]).toMatchObject([{ status: 'AUTHORIZATION_SUCCEEDED' }, { held: 1299 }]);
  await releasePayments(app, ACCEPTANCES);
  await reconcileAfter(harness, HOUR_MS);
  await shop.deliver();

  expect([await money(id), book()]).toMatchObject([{ status: 'AUTHORIZATION_VOIDED' }, { held: 0 }]);
});
