import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { App } from '../../src/app.ts';
import { actingAs } from '../../src/platform/database/acting.ts';
import { oncePer } from '../../src/platform/database/once-per.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it('makes one value for each object, also when the value is null', () => {
  const made: object[] = [];
  const valueOf = oncePer((key: object) => {
    made.push(key);
    return made.length === 1 ? null : {};
  });
  const [one, other] = [{}, {}];

  expect([valueOf(one), valueOf(one)]).toEqual([null, null]);
  expect(valueOf(other)).toBe(valueOf(other));
  expect(made).toEqual([one, other]);
});

it('gives an app that acts for somebody the value of its origin', () => {
  const acting = actingAs(server.app, { kind: 'api_key', id: 'key' });
  const appOf = oncePer((app: App) => [app]);

  expect(appOf(acting)).toEqual([server.app]);
  expect(appOf(acting)).toBe(appOf(server.app));
});
