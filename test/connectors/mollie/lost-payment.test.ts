import { expect, it } from '@jest/globals';
import { reconcileAfter, unresolvedOn } from '../../transactions/unresolved.ts';
import { openShop } from '../kit/shop.ts';
import { startMollie } from './start.ts';

const { double, harness, prisma, service } = await openShop((now) => startMollie({ now }, 'mollie-card'));

const PAGE = { paymentMethod: { redirect: { method: 'card' } }, redirectUrl: 'https://shop.example/back' };

/** Mollie has forgotten the key then. */
const FORGOTTEN_MS = 2 * 3_600_000;

it('a lost payment behind more newer ones than Paygraph reads stays unknown, and is made once', async () => {
  double.failNext(['lose_answer'], /^POST \/v2\/payments$/);
  const { transaction } = await harness.create({
    ...{ amount: 1299, currency: 'EUR', paymentServiceId: service.id, ...PAGE },
  });
  const id = transaction?.id ?? '';
  double.hands.makeOthers(5_000);
  await reconcileAfter(harness, FORGOTTEN_MS);

  expect(await prisma.operation.findMany({ where: { transactionId: id } })).toMatchObject([
    { kind: 'authorize', status: 'pending', unknownCause: 'unreadable' },
  ]);
  expect(await unresolvedOn(harness, id)).toMatchObject({ kind: 'AUTHORIZE', status: 'PENDING' });
  expect(double.payments().filter(({ key }) => key !== null)).toHaveLength(1);
});
