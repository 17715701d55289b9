import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFailedTokens } from '../../src/http/authentication/failed-tokens.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { openRawSocket } from './raw-socket.ts';

const TOO_MANY = 'This address sent too many refused tokens. Get a valid token, then try again later.';
const NAME = '{ __typename }';

describe('the refused tokens of an address', () => {
  it('are counted up to four seconds of the rate, and are forgiven with time', () => {
    let nowMs = 0;
    const failed = createFailedTokens(2, () => nowMs);
    const after = (count: number, address: string) => {
      for (let done = 0; done < count; done += 1) failed.count(address);
      return failed.waitSeconds(address);
    };

    expect([after(7, '192.0.2.1'), after(1, '192.0.2.1'), after(5, '192.0.2.1')]).toEqual([null, 1, 1]);
    expect(failed.waitSeconds('192.0.2.2')).toBeNull();
    nowMs = 500;
    expect(failed.waitSeconds('192.0.2.1')).toBeNull();
  });

  it.each([
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', true],
    ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
  ])('are those of one network: %s and %s: %s', (one, other, together) => {
    const failed = createFailedTokens(1, () => 0);

    for (let done = 0; done < 4; done += 1) failed.count(one);

    expect(failed.waitSeconds(other)).toBe(together ? 1 : null);
  });

  it('are not counted without a limit or without an address', () => {
    const [endless, limited] = [createFailedTokens(null), createFailedTokens(1, () => 0)];

    for (let done = 0; done < 9; done += 1) {
      endless.count('192.0.2.1');
      limited.count(null);
    }

    expect([endless.waitSeconds('192.0.2.1'), limited.waitSeconds(null)]).toEqual([null, null]);
  });
});

describe('an address with too many refused tokens', () => {
  let server: TestServer;
  beforeAll(async () => {
    const settings = { PAYGRAPH_FAILED_TOKENS_PER_SECOND: '1', PAYGRAPH_TRUSTED_PROXIES: '127.0.0.1' };
    server = await startTestServer({ settings });
  });
  afterAll(() => server.stop());

  const ask = (address: string, token: string | null) =>
    server.graphql(NAME, {}, { token, headers: { 'x-forwarded-for': address } });
  /** Sends more refused tokens than the budget and its refill within the test. */
  const flood = async (address: string) => {
    const all = await Promise.all(Array.from({ length: 60 }, () => ask(address, 'nonsense')));
    return all.map(({ status }) => status);
  };

  /** Floods an address, then asks. Does so again when the budget has got one token back between the two. */
  const floodThenAsk = async (address: string, token: () => Promise<string>) => {
    for (;;) {
      const statuses = await flood(address);
      const answer = await ask(address, await token());
      if (answer.status === 429) return { ...answer, statuses };
    }
  };

  it('is answered with 429, RATE_LIMITED and Retry-After', async () => {
    const { statuses, status, headers, body } = await floodThenAsk('192.0.2.1', async () => 'nonsense');

    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    expect(body).toEqual({
      errors: [{ message: TOO_MANY, extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } }],
    });
  });

  it('goes on with a token that was verified before, and waits with a new one', async () => {
    const known = await server.mint();
    await ask('192.0.2.2', known);

    const fresh = await floodThenAsk('192.0.2.2', () => server.mint());

    expect((await ask('192.0.2.2', known)).status).toBe(200);
    expect(fresh.status).toBe(429);
    expect((await ask('192.0.2.2', null)).status).toBe(401);
  });

  it('leaves other addresses alone', async () => {
    await flood('192.0.2.3');

    expect((await ask('192.0.2.4', await server.mint())).status).toBe(200);
    expect((await ask('192.0.2.4', 'nonsense')).status).toBe(401);
  });

  it('is refused by websockets with 1013, whose refused tokens count too', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.5' };
    const closings: unknown[] = [];
    for (let sent = 0; sent < 30; sent += 1) {
      const socket = await openRawSocket(server.url, { headers });
      socket.send({ type: 'connection_init', payload: { authorization: 'Bearer nonsense' } });
      closings.push(await socket.closed);
    }

    expect(closings[0]).toMatchObject({ code: 4401 });
    expect(closings).toContainEqual({ code: 1013, reason: TOO_MANY });
  });

  it('fills no log: each refused token within the limit has a line with the address', async () => {
    const statuses = await flood('192.0.2.6');

    const lines = server
      .logs()
      .split('\n')
      .filter((line) => line.startsWith('{"level":40') && line.includes('192.0.2.6'));
    expect(lines).toHaveLength(statuses.filter((status) => status === 401).length);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
      level: 40,
      reason: 'not an access token',
      keyId: null,
    });
  });
});
