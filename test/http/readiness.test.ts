import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const ask = async (path: string): Promise<[number, unknown]> => {
  const response = await fetch(`${server.url}${path}`);
  return [response.status, await response.json()];
};

describe('health and readiness', () => {
  it('is alive and ready, without a token', async () => {
    expect(await ask('/health')).toEqual([200, { status: 'ok' }]);
    expect(await ask('/ready')).toEqual([200, { status: 'ready', checks: { database: 'ok' } }]);
  });

  it('is alive but not ready when a check fails, throws or hangs, and names the check', async () => {
    const other = await startTestServer({
      checks: {
        works: () => true,
        fails: () => false,
        throws: () => Promise.reject(new Error('secret')),
        hangs: () => new Promise(() => undefined),
      },
    });
    const ready = await fetch(`${other.url}/ready`);
    const health = await fetch(`${other.url}/health`);
    await other.stop();

    expect(health.status).toBe(200);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({
      status: 'failing',
      checks: { works: 'ok', fails: 'failed', throws: 'failed', hangs: 'failed' },
    });
  });

  it('is not ready while it accepts no requests', async () => {
    server.http.setReady(false);
    const answer = await ask('/ready');
    server.http.setReady(true);

    expect(answer).toEqual([503, { status: 'not_accepting', checks: { database: 'ok' } }]);
  });
});
