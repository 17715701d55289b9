import { afterAll } from '@jest/globals';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { listenOn, type DoubleAnswer, type DoubleRequest } from '../double-server.ts';

/** A prepared answer: JSON, or a text as it is. The status is 200 by default. Null drops the connection. */
export type Prepared = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
} | null;

/**
 * Starts a server for the tests of a file. It gives the answers that a test prepared. `next` takes the answer to a request. The
 * server and its client close after the last test.
 */
export async function openPrepared(next: (request: DoubleRequest) => Prepared) {
  const serve = (request: DoubleRequest): Promise<DoubleAnswer> => {
    const answer = next(request);
    if (!answer) return Promise.resolve(null);
    const { status = 200, headers = {}, body } = answer;
    return Promise.resolve({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  };
  const { url, close } = await listenOn({ serve });
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  afterAll(async () => {
    http.close();
    await close();
  });
  return { url, http };
}
