import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import type { App } from '../../src/app.ts';
import { authenticate } from '../../src/http/authentication/authenticate.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let app: App;
beforeAll(async () => {
  server = await startTestServer();
  app = server.app;
});
afterAll(() => server.stop());

const ask = (authorization: string | undefined, merchantAccountId?: string) =>
  authenticate(app, { authorization, merchantAccountId });
const REFUSED = {
  refusal: 'unauthenticated',
  message: 'The access token is missing, expired or not valid.',
};

test.each([
  ['Bearer ', ''],
  ['bearer ', ''],
  ['BEARER  ', '  '],
])('accepts a token behind "%s"', async (before, after) => {
  const known = await ask(`${before}${server.token}${after}`);
  expect(known).toMatchObject({ viewer: { merchantAccountId: 'default', scopes: ['*.read', '*.write'] } });
});

test.each<[string, (token: string) => string | undefined]>([
  ['nothing', () => undefined],
  ['an empty text', () => ''],
  ['the token alone', (token) => token],
  ['another scheme', (token) => `Basic ${token}`],
  ['no space', (token) => `Bearer${token}`],
  ['no token', () => 'Bearer '],
  ['two tokens', (token) => `Bearer ${token} ${token}`],
  ['two headers in one', (token) => `Bearer ${token}, Bearer ${token}`],
  ['a comma', (token) => `Bearer ${token},`],
  ['a tab', (token) => `Bearer\t${token}`],
])('refuses %s with the same words', async (_what, given) => {
  expect(await ask(given(server.token))).toEqual(REFUSED);
});

test('tells the callers of one connection apart, by each header', async () => {
  const other = await server.createMerchantAccount();
  const connection = {};
  const accountOf = async (token: string): Promise<unknown> => {
    const known = await authenticate(app, {
      authorization: `Bearer ${token}`,
      merchantAccountId: undefined,
      connection,
    });
    return 'viewer' in known ? known.viewer.merchantAccountId : known.refusal;
  };
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await accountOf(server.token)).toBe('default');
    expect(await accountOf(server.token)).toBe('default');
    expect(await accountOf(other.token)).toBe(other.id);
    expect(await accountOf(`${other.token.slice(0, -4)}AAAA`)).toBe('unauthenticated');
  }
});

test('logs the cause, the address and the key of a refused token, and never the token', async () => {
  const token = await server.mint({ lifetimeS: -60 });
  const { kid: keyId } = decodeProtectedHeader(token);
  expect((await server.graphql('{ __typename }', {}, { token })).status).toBe(401);
  const line = server
    .logs()
    .split('\n')
    .find((each) => each.includes('"reason":"ERR_JWT_EXPIRED"'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 40, address: '127.0.0.1', keyId });
  expect(server.logs()).not.toContain(token.split('.')[2]);
});

test('refuses a merchant account outside of the token', async () => {
  const { id, token } = await server.createMerchantAccount();
  expect(await ask(`Bearer ${token}`, id)).toMatchObject({ viewer: { merchantAccountId: id } });
  expect(await ask(`Bearer ${token}`, 'default')).toEqual({
    refusal: 'forbidden',
    message: 'The token has no access to this merchant account.',
  });
});
