import { describe, expect, it } from '@jest/globals';
import { openStand } from './stand.ts';

const { connector, contextOf, double } = await openStand();
const verify = (apiKey: string | null, environment: 'sandbox' | 'production' = 'sandbox') =>
  connector.verify?.(
    contextOf('mollie-card', {
      environment,
      ...(apiKey !== null && { credentials: { api_key: apiKey } }),
    }),
  );

describe('the check of an API key', () => {
  it('accepts the key of the account', async () => {
    expect(await verify(null)).toEqual({ kind: 'accepted' });
  });

  it.each([
    ['test_anotherKey', 'sandbox'],
    ['live_anotherKey', 'sandbox'],
    ['test_anotherKey', 'production'],
    ['access_token', 'sandbox'],
  ] as const)('refuses %s in %s', async (apiKey, environment) => {
    expect(await verify(apiKey, environment)).toEqual({ kind: 'refused', reason: expect.any(String) });
  });

  it.each(['error_before_work', 'lose_answer', 'rate_limited'] as const)(
    'tells nothing after %s',
    async (fault) => {
      double.failNext([fault], /^GET \/v2\/methods/);

      expect(await verify(null)).toMatchObject({ kind: 'unknown' });
    },
  );
});
