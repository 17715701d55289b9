import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { documentOf } from '../idempotency/document.ts';
import { createSecrets } from '../journeys/secrets.ts';
import { walkThrough, type Answer } from '../journeys/walk.ts';
import { signIn } from '../sessions/browser-fetch.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Mutations of the walk that may change no record, with the reason. */
const MAY_CHANGE_NOTHING: Readonly<Record<string, string>> = {
  cancelReplayJob: 'Comes too late for a replay that has ended.',
  checkGiftCardBalances: 'Asks for balances. A balance that stays the same is no change.',
  createTransactionSession: 'Opens the page of a payment that waits already.',
  sendTestEvent: 'Sends a request, and stores nothing.',
  verifyCredentials: 'Asks the provider, and stores nothing.',
  syncTransaction: 'Asks the provider. An answer without news is no change.',
};

const schema = buildSchema(readFileSync('schema/api.graphql', 'utf8'));
/** The request ids of each walked mutation. */
const requests = new Map<string, string[]>();

let server: TestServer;
let provider: FakeProvider;
let receiver: Receiver;

beforeAll(async () => {
  [server, provider, receiver] = await Promise.all([startTestServer(), startFakeProvider(), startReceiver()]);
  await walkThrough({
    ...{ secrets: createSecrets(), send, ask, receiverUrl: receiver.url, providerUrl: provider.url },
    loseAnswer: () => provider.failNext('lose_answer'),
    openSession: () => signIn(server),
  });
}, 120_000);
afterAll(async () => {
  await server.stop();
  await Promise.all([provider.close(), receiver.close()]);
});

async function ask<Answer>(text: string, variables: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { body } = await server.graphql<{ answer: Answer }>(text, variables);
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data.answer;
}

async function send(mutation: string, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  const query = documentOf(schema, mutation, 'record');
  const variables = {
    ...input,
    ...(query.includes('$idempotencyKey') && { idempotencyKey: `${mutation} ${seen++}` }),
  };
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json()) as { data?: { payload: Answer } };
  if (!body.data || (body.data.payload['userErrors'] as unknown[]).length > 0)
    throw new Error(`${mutation}: ${JSON.stringify(body)}`);
  const requestId = response.headers.get('x-request-id') ?? '';
  requests.set(mutation, [...(requests.get(mutation) ?? []), requestId]);
  return body.data.payload;
}
let seen = 0;

it('every mutation that changes something leaves an entry of its request', async () => {
  const entries = await server.app.db.prisma.auditEntry.findMany();
  const audited = new Set(
    entries.map(({ actor }) => (JSON.parse(actor) as { requestId?: string }).requestId ?? 'none'),
  );

  const silent = [...requests]
    .filter(([, ids]) => ids.some((id) => !audited.has(id)))
    .map(([mutation]) => mutation);

  expect(requests.size).toBeGreaterThan(40);
  expect(silent.filter((mutation) => !(mutation in MAY_CHANGE_NOTHING))).toEqual([]);
});

it('every entry of a request names the key of the token and its address', async () => {
  const entries = await server.app.db.prisma.auditEntry.findMany({ where: { actorKind: 'api_key' } });

  expect(entries.length).toBeGreaterThan(60);
  for (const entry of entries)
    expect(JSON.parse(entry.actor)).toMatchObject({ id: entry.actorId, address: '127.0.0.1' });
});
