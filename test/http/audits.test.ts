import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { auditServer } from 'graphql-http';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

// The three notices are about GET requests that a page of another origin could make a browser send. The specification
// makes their refusal optional, and Paygraph refuses them.
it('follows the GraphQL over HTTP specification', async () => {
  const fetchFn = (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${server.token}`);
    return fetch(url, { ...init, headers });
  };

  const results = await auditServer({ url: `${server.url}/graphql`, fetchFn });

  const failed = results.filter((result) => result.status !== 'ok');
  expect(results.length - failed.length).toBe(58);
  expect(failed.map(({ id, status }) => [id, status])).toEqual([
    ['5A70', 'notice'],
    ['D6D5', 'notice'],
    ['6A70', 'notice'],
  ]);
});
