import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { workFor } from '../../src/platform/fairness/owner.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { createSteppedClock } from '../support/stepped-clock.ts';
import { until } from '../support/until.ts';

const ASK = '{ __typename }';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    // The keys of the tokens are marked once, and not while the test holds every connection.
    clock: createSteppedClock(),
    settings: { DATABASE_POOL: '4', PAYGRAPH_METRICS: 'true', PAYGRAPH_LATE_WORK_MS: '500' },
  });
});
afterAll(() => server.stop());

describe('a merchant account whose work waits half a second for a connection', () => {
  it('is refused before a body is read, until the work goes on, and other accounts are not', async () => {
    const { app } = server;
    const { id, token } = await server.createMerchantAccount();
    const ask = async (of: string) => {
      const { status, headers, body } = await server.graphql(ASK, {}, { token: of });
      return { status, wait: headers.get('retry-after'), code: body.errors?.[0]?.extensions.code };
    };
    const passed = { status: 200, wait: null, code: undefined };
    const before = [await ask(token), await ask(server.token)];
    const held = await Promise.all(Array.from({ length: 4 }, () => workFor(id, () => app.db.connect())));
    const next = workFor(id, () => app.db.connect());
    const waiting = workFor(id, () => app.db.connect());
    const early = await ask(token);
    // While no turn ends, the database may hang, and no account is to blame.
    const hanging = app.db.waitedMs(id);
    held.pop()?.release();
    held.push(await next);
    await until(() => app.db.waitedMs(id) > 500, 'late work');
    const late = [await ask(token), await ask(server.token)];
    const byRest = await fetch(`${server.url}/transactions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: 'nobody reads this',
    });
    const client = server.socket({ token });
    const overSocket: unknown = await client
      .iterate({ query: ASK })
      .next()
      .catch((errors: unknown) => errors);
    await client.dispose();
    const waits = app.db.waits();
    held.forEach((connection) => connection.release());
    (await waiting).release();
    const after = await ask(token);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();

    expect(before).toEqual([passed, passed]);
    expect(early).toEqual(passed);
    expect(hanging).toBe(0);
    expect(late).toEqual([{ status: 429, wait: '1', code: 'RATE_LIMITED' }, passed]);
    expect([byRest.status, byRest.headers.get('retry-after')]).toEqual([429, '1']);
    expect(overSocket).toMatchObject([{ extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } }]);
    expect(after).toEqual(passed);
    expect(metrics).toContain('paygraph_requests_refused_total{reason="load"} 3');
    expect(metrics).toContain(
      'db_client_connection_pending_requests{db_client_connection_pool_name="money"} 0',
    );
    expect(waits).toBe(1);
  });
});
