import { afterAll, beforeAll, describe } from '@jest/globals';
import { startTestServer, type TestServer } from '../support/server.ts';
import { describeWalks, SORTS } from './page-walks.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('pages of transactions', () => describeWalks(() => server, SORTS));
