import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ timeouts: { headersMs: 300, requestMs: 900, checkMs: 50 } });
});
afterAll(() => server.stop());

/** Writes bytes to the server, and returns the whole answer with the time until the end of the connection. */
function send(...parts: readonly string[]): Promise<{ readonly answer: string; readonly afterMs: number }> {
  const startedAt = performance.now();
  const socket = connect({ host: '127.0.0.1', port: server.http.port });
  let answer = '';
  socket.on('data', (data: Buffer) => void (answer += data.toString('utf8')));
  socket.on('error', () => undefined);
  parts.forEach((part) => socket.write(part));
  return new Promise((resolve) =>
    socket.on('close', () => resolve({ answer, afterMs: performance.now() - startedAt })),
  );
}

/** The forms of errors: of GraphQL, also for requests without a known address, and of the other paths. */
const FORMS = {
  graphql: (message: string) => ({ errors: [{ message, extensions: { code: 'BAD_REQUEST' } }] }),
  rest: (message: string) => ({
    ...{ type: 'error', code: 'bad_request', status: 400, reason: 'bad_request', message, details: [] },
  }),
};

function expectRefused(
  answer: string,
  status: number,
  message: string,
  form: keyof typeof FORMS = 'graphql',
): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  for (const header of [
    /^x-content-type-options: nosniff\r?$/im,
    /^cache-control: no-store\r?$/im,
    /^content-security-policy: default-src 'none'; frame-ancestors 'none'\r?$/im,
    /^referrer-policy: no-referrer\r?$/im,
    /^x-request-id: [0-9a-f-]{36}\r?$/im,
    /^content-type: application\/json; charset=utf-8\r?$/im,
  ])
    expect(head).toMatch(header);
  expect(JSON.parse(body)).toEqual(FORMS[form](message));
}

const HOST = 'host: localhost\r\n';
const CLOSE = 'connection: close\r\n';

describe('a request that cannot be read', () => {
  it.each([
    ['an address', `GET /% HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 'rest'],
    ['an address of graphs', `GET /graphql/% HTTP/1.1\r\n${HOST}${CLOSE}\r\n`, 'graphql'],
    ['bytes', 'NONSENSE\r\n\r\n', 'graphql'],
  ] as const)('is refused in the form of its address, with every header: %s', async (_, bytes, form) => {
    const { answer } = await send(bytes);

    expectRefused(answer, 400, 'The request could not be read.', form);
  });

  it('is refused with two Host headers', async () => {
    const { answer } = await send(`GET /health HTTP/1.1\r\n${HOST}host: 127.0.0.1\r\n${CLOSE}\r\n`);

    expectRefused(answer, 400, 'The request has several Host headers. Send one.', 'rest');
  });

  it.each([
    ['headers', 300, `POST /graphql HTTP/1.1\r\n${HOST}`],
    // Authentication would refuse a request to the API before the body arrives.
    ['a body', 900, `POST /transactions/1/session HTTP/1.1\r\n${HOST}content-length: 100\r\n\r\n{`],
  ])('is cut at its time: %s', async (_, timeoutMs, bytes) => {
    const { answer, afterMs } = await send(bytes);

    expectRefused(answer, 408, 'The request took too long to arrive.');
    expect(afterMs).toBeGreaterThanOrEqual(timeoutMs);
    expect(afterMs).toBeLessThan(timeoutMs + 20_000);
  });
});
