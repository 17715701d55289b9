import { afterEach, expect, it } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { restClient } from './client.ts';

let server: TestServer | undefined;
afterEach(() => server?.stop());

it('the REST paths move below the configured path, with their description', async () => {
  server = await startTestServer({ settings: { PAYGRAPH_REST_PATH: '/api' } });
  const [atRoot, below] = [restClient(server), restClient(server, '/api')];

  expect((await atRoot('GET /buyers')).status).toBe(404);
  expect((await below('GET /buyers')).status).toBe(200);
  const { body } = await below('GET /openapi.json', undefined, { token: null });
  expect(body['servers']).toEqual([{ url: `${server.url}/api` }]);
});

it('the value off serves none', async () => {
  server = await startTestServer({ settings: { PAYGRAPH_REST_PATH: 'off' } });
  const send = restClient(server);

  expect((await send('GET /buyers')).status).toBe(404);
  expect((await send('GET /openapi.json')).status).toBe(404);
});
