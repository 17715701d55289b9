import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { connectRawSocket } from './raw-socket.ts';
import { ATTEMPTS, CANARY, type Attempt } from './canaries.ts';
import { withoutRandom } from '../support/without-random.ts';

describe.each(['compiled', 'reference'])('a caller’s input, %s executor', (executor) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { PAYGRAPH_EXECUTOR: executor } });
  });
  afterAll(() => server.stop());
  afterEach(() => expect(withoutRandom(server.logs())).not.toMatch(CANARY));

  describe.each(Object.entries(ATTEMPTS))('%s', (_what, attempt) => {
    it('is not repeated over HTTP', async () => {
      // A third time, because a compiled operation answers then.
      for (const text of [await post(attempt), await post(attempt), await post(attempt)]) {
        expect(text).toMatch(/"(?:errors|userErrors)":\[\{/);
        expect(withoutRandom(text)).not.toMatch(CANARY);
        expect(text).not.toContain('INTERNAL_SERVER_ERROR');
      }
    });

    it('is not repeated over a websocket', async () => {
      const text = await overSocket(attempt);

      expect(text).toMatch(/"type":"error"|"(?:errors|userErrors)":\[\{|"code":4400/);
      expect(withoutRandom(text)).not.toMatch(CANARY);
      expect(text).not.toContain('INTERNAL_SERVER_ERROR');
    });
  });

  const post = async (attempt: Attempt): Promise<string> => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
      body: JSON.stringify(attempt),
    });
    return response.text();
  };

  const overSocket = async (attempt: Attempt): Promise<string> => {
    const socket = await connectRawSocket(server.url, server.token);
    socket.send({ id: '1', type: 'subscribe', payload: attempt });
    const answer = await Promise.race([socket.next(), socket.closed]);
    socket.close();
    return JSON.stringify(answer);
  };
});
