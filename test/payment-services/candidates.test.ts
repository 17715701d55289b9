import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findCandidates } from '../../src/modules/payment-services/index.ts';
import { startHarness, type Harness, type Input } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});

afterAll(() => harness.stop());

type Filter = Parameters<typeof findCandidates>[2];

/** Returns the names of the merchant account's services that accept a payment, best first. */
async function accepting(
  { server, merchantAccountId }: Harness,
  filter: Partial<Filter> = {},
): Promise<string[]> {
  const payment = { method: 'card', currency: 'USD', country: 'US', ...filter };
  const found = await findCandidates(server.app, merchantAccountId, payment);
  return found.map(({ displayName }) => displayName);
}

/** Creates a merchant account with these services. */
async function accountWith(...services: Input[]): Promise<Harness> {
  const account = await harness.rival();
  for (const service of services) await account.made(service);
  return account;
}

describe('candidates', () => {
  test('come by position, then by age', async () => {
    const account = await accountWith(
      { displayName: 'c', position: 5 },
      { displayName: 'a', position: -1 },
      { displayName: 'd', position: 5 },
      { displayName: 'b', position: 2 },
    );

    expect(await accepting(account)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('accept the method, the currency and the country', async () => {
    const account = await accountWith(
      { displayName: 'us', acceptedCurrencies: ['USD', 'EUR'], acceptedCountries: ['US'] },
      { displayName: 'de', acceptedCurrencies: ['EUR'], acceptedCountries: ['US', 'DE'] },
    );

    expect(await accepting(account)).toEqual(['us']);
    expect(await accepting(account, { currency: 'EUR' })).toEqual(['us', 'de']);
    expect(await accepting(account, { currency: 'EUR', country: 'DE' })).toEqual(['de']);
    expect(await accepting(account, { country: 'DE' })).toEqual([]);
    expect(await accepting(account, { country: null })).toEqual(['us']);
    expect(await accepting(account, { method: 'ideal' })).toEqual([]);
  });

  test('are active and not deleted', async () => {
    const account = await accountWith(
      { displayName: 'off', active: false },
      { displayName: 'on', active: null },
    );
    const gone = await account.made({ displayName: 'gone' });
    await account.delete(gone.id);

    expect(await accepting(account)).toEqual(['on']);
  });

  test('have been accepted by their provider', async () => {
    const account = await accountWith({ displayName: 'on' });
    const { merchantAccountId, server } = account;
    await server.app.db.prisma.paymentService.updateMany({
      where: { merchantAccountId },
      data: { status: 'failed' },
    });

    expect(await accepting(account)).toEqual([]);
  });

  test('are only the requested one, if it accepts', async () => {
    const account = await accountWith({ displayName: 'first' });
    const { id } = await account.made({ displayName: 'second' });

    expect(await accepting(account, { paymentServiceId: id })).toEqual(['second']);
    expect(await accepting(account, { paymentServiceId: id.toUpperCase() })).toEqual(['second']);
    expect(await accepting(account, { paymentServiceId: id, currency: 'JPY' })).toEqual([]);
    expect(await accepting(account, { paymentServiceId: harness.server.app.ids.uuid() })).toEqual([]);
    expect(await accepting(account, { paymentServiceId: 'not a uuid' })).toEqual([]);
    expect(await accepting(account, { paymentServiceId: null })).toEqual(['first', 'second']);
  });

  test('are of the merchant account', async () => {
    const { id } = await harness.made();
    const rival = await harness.rival();

    expect(await accepting(rival)).toEqual([]);
    expect(await accepting(rival, { paymentServiceId: id })).toEqual([]);
  });

  test('are none in production where they work in the sandbox only', async () => {
    const { server, merchantAccountId } = await accountWith({ displayName: 'on' });
    const production = { ...server.app, config: { ...server.app.config, production: true } };

    const found = await findCandidates(production, merchantAccountId, {
      method: 'card',
      currency: 'USD',
      country: 'US',
    });

    expect(found).toEqual([]);
  });
});
