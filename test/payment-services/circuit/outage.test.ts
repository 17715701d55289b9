import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../../src/platform/failpoint.ts';
import { createShiftedClock } from '../../support/shifted-clock.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { CIRCUITS_ON, keyed, openCircuitShop } from './harness.ts';

const clock = createShiftedClock();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock, settings: { ...CIRCUITS_ON, PAYGRAPH_METRICS: 'true' } });
});
afterAll(() => server.stop());

/** Longer than the first pause, the second one, and the lease of a trial. */
const [PAUSE_MS, SECOND_PAUSE_MS, LEASE_MS] = [34_000, 67_000, 120_000];

it('sets a failing service behind, tries it by single payments, and gives its place back', async () => {
  const shop = await openCircuitShop(server, [keyed('failing'), {}, {}]);

  for (let nth = 0; nth < 9; nth += 1) expect(await shop.asked()).toEqual([1, 2]);
  expect(await shop.circuits()).toEqual([null, null, null]);
  expect(await shop.asked()).toEqual([1, 2]);
  const [opened] = await shop.circuits();
  expect(opened).toMatchObject({ state: 'OPEN', calls: 10, failures: 10, failedTrials: 0 });

  const behind = await shop.pay();
  expect(behind.transaction?.attempts).toHaveLength(1);
  expect(behind.transaction?.attempts[0]?.paymentService.id).toBe(shop.services[1]);
  expect(await shop.effectOf(behind)).toEqual({ setBehind: [1], triedAgain: [] });

  clock.advance(PAUSE_MS);
  const trial = await shop.pay();
  expect(trial.transaction?.attempts).toHaveLength(2);
  expect(await shop.effectOf(trial)).toEqual({ setBehind: [], triedAgain: [1] });
  expect((await shop.circuits())[0]).toMatchObject({ state: 'OPEN', failedTrials: 1 });
  expect(await shop.asked()).toEqual([2]);

  await shop.change(1, 'well');
  clock.advance(PAUSE_MS);
  expect(await shop.asked()).toEqual([2]);
  clock.advance(SECOND_PAUSE_MS);
  expect(await shop.asked()).toEqual([1]);
  expect((await shop.circuits())[0]?.state).toBe('HALF_OPEN');
  expect(await shop.asked()).toEqual([1]);
  expect(await shop.asked()).toEqual([1]);
  expect(await shop.circuits()).toEqual([null, null, null]);
  const well = await shop.pay();
  expect(await shop.effectOf(well)).toBeNull();
  expect(await shop.events()).toEqual([
    'payment-service.circuit-opened 1',
    'payment-service.circuit-closed 1',
  ]);
  expect(server.logs()).toMatch(/A payment service fails, and others go first/);
});

it('counts declines as answers', async () => {
  const shop = await openCircuitShop(server, [keyed('declining'), {}, {}]);

  await shop.payTimes(15);

  expect(await shop.circuits()).toEqual([null, null, null]);
  expect(await shop.asked()).toEqual([1, 2]);
});

it('counts unknown outcomes, which still lead to no other service', async () => {
  const shop = await openCircuitShop(server, [keyed('silent'), {}, {}]);

  for (let nth = 0; nth < 10; nth += 1) expect(await shop.asked()).toEqual([1]);

  expect((await shop.circuits())[0]).toMatchObject({ state: 'OPEN', failures: 10 });
  expect(await shop.asked()).toEqual([2]);
});

it('is in the REST paths and in the metrics', async () => {
  const shop = await openCircuitShop(server, [keyed('failing'), {}, {}]);
  await shop.payTimes(10);

  const [first] = shop.services;
  const answer = await fetch(`${server.url}/payment-services/${first}`, {
    headers: { authorization: `Bearer ${shop.token}` },
  });
  const metrics = await fetch(`${server.url}/metrics`);

  expect(await answer.json()).toMatchObject({
    circuit: { state: 'open', calls: 10, failures: 10, failed_trials: 0 },
  });
  expect(await metrics.text()).toMatch(/^paygraph_circuits_open\{definition="mock-card"\} [1-9]/m);
});

it('forgets the calls of the minute before', async () => {
  const shop = await openCircuitShop(server, [keyed('failing'), {}, {}]);

  await shop.payTimes(9);
  clock.advance(61_000);
  await shop.payTimes(9);

  expect(await shop.circuits()).toEqual([null, null, null]);
});

describe('a service with an open circuit', () => {
  it('is still asked by payments that only this service accepts, and by those that name it', async () => {
    const shop = await openCircuitShop(server, [
      keyed('failing'),
      {},
      { acceptedCurrencies: ['USD', 'EUR'] },
    ]);
    const [first, second] = shop.services;
    await shop.payTimes(10);
    expect(await shop.asked()).toEqual([2]);

    expect(await shop.asked({ paymentServiceId: first })).toEqual([1]);
    await shop.change(2, 'failing');
    await shop.change(3, 'failing');
    // The service answered eleven times before.
    await shop.payTimes(12, { paymentServiceId: second });
    await shop.payTimes(10, { currency: 'EUR' });

    expect((await shop.circuits()).map((circuit) => circuit?.state)).toEqual(['OPEN', 'OPEN', 'OPEN']);
    expect(await shop.asked({ currency: 'EUR' })).toEqual([3]);
    // All are open, so the order of positions is left.
    const all = await shop.pay();
    expect(all.transaction?.attempts.map(({ paymentService }) => paymentService.id)).toEqual(shop.services);
    expect(await shop.effectOf(all)).toBeNull();
  });

  it('comes after the others of a rule, and no service of another rule comes before', async () => {
    const shop = await openCircuitShop(server, [{}, keyed('failing'), {}]);
    const [first, second, third] = shop.services;
    await shop.follow({ name: 'All', action: { order: { paymentServiceIds: [second, first] } } });
    await shop.payTimes(10);
    expect(await shop.asked()).toEqual([1]);

    await shop.follow({
      name: 'Two',
      action: { order: { paymentServiceIds: [second, third], onlyThese: true } },
    });
    expect(await shop.asked()).toEqual([3]);
    await shop.follow({ name: 'One', action: { order: { paymentServiceIds: [second], onlyThese: true } } });
    expect(await shop.asked()).toEqual([2]);
  });

  it('comes last among further attempts, and is tried again by one of them', async () => {
    const shop = await openCircuitShop(server, [keyed('declining'), keyed('failing'), keyed('declining')]);
    for (let nth = 0; nth < 10; nth += 1) expect(await shop.asked()).toEqual([1, 2, 3]);

    const behind = await shop.pay();
    expect(
      behind.transaction?.attempts.map(({ paymentService: { id } }) => shop.services.indexOf(id) + 1),
    ).toEqual([...[1, 3, 2]]);
    expect(await shop.effectOf(behind)).toEqual({ setBehind: [2], triedAgain: [] });
    clock.advance(PAUSE_MS);
    const trial = await shop.pay();
    expect(await shop.effectOf(trial)).toEqual({ setBehind: [], triedAgain: [2] });
    expect((await shop.circuits())[1]).toMatchObject({ failedTrials: 1 });
  });

  it('explains its place', async () => {
    const shop = await openCircuitShop(server, [keyed('failing'), {}, {}]);
    await shop.payTimes(10);
    const explain = `query { answer: explainRouting(input: { currency: "USD", country: "US", amount: 1299 }) {
      candidates { paymentService { id } isSetBehind message } } }`;
    type Explained = {
      candidates: { isSetBehind: boolean; message: string; paymentService: { id: string } }[];
    };
    const placesOf = ({ candidates }: Explained) =>
      candidates.map(({ paymentService: { id }, isSetBehind }) => [
        shop.services.indexOf(id) + 1,
        isSetBehind,
      ]);

    const open = await shop.ask<Explained>(explain);
    expect(placesOf(open)).toEqual([
      [2, false],
      [3, false],
      [1, true],
    ]);
    expect(open.candidates[2]?.message).toMatch(/The provider of this payment service fails/);
    clock.advance(PAUSE_MS);
    const due = await shop.ask<Explained>(explain);
    expect(placesOf(due)).toEqual([
      [1, false],
      [2, false],
      [3, false],
    ]);
    expect(due.candidates[0]?.message).toMatch(/One payment at a time tries the service again/);
  });
});

describe('a trial', () => {
  it('is free again at the end of its lease, if its process dies', async () => {
    const shop = await openCircuitShop(server, [keyed('failing'), {}, {}]);
    await shop.payTimes(10);
    clock.advance(PAUSE_MS);
    const remove = setFailpoint('circuit.tried', () => {
      throw new Error('The process dies.');
    });

    expect(await shop.asked()).toEqual([1, 2]);
    remove();
    expect(await shop.asked()).toEqual([2]);
    clock.advance(LEASE_MS);
    expect(await shop.asked()).toEqual([1, 2]);
    expect((await shop.circuits())[0]).toMatchObject({ failedTrials: 1 });
  });

  it('is not used up by a repeat of an earlier request', async () => {
    const shop = await openCircuitShop(server, [keyed('failing'), {}, {}]);
    const paid = await shop.pay({}, 'order-1');
    await shop.payTimes(9);
    clock.advance(PAUSE_MS);

    expect((await shop.pay({}, 'order-1')).transaction?.id).toBe(paid.transaction?.id);
    expect(await shop.asked()).toEqual([1, 2]);
  });

  it('lets go of the service without a call, and the next payment tries', async () => {
    const shop = await openCircuitShop(server, [keyed('failing'), {}, {}]);
    await shop.payTimes(10);
    clock.advance(PAUSE_MS);
    const remove = setFailpoint('authorize.claimed', () => {
      throw new Error('The process dies.');
    });
    await expect(shop.pay()).rejects.toThrow();
    remove();

    expect(await shop.asked()).toEqual([2]);
    clock.advance(LEASE_MS);
    expect(await shop.asked()).toEqual([1, 2]);
  });
});
