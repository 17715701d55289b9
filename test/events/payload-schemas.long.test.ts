import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EVENT_NAMES, payloadSchema } from '../../src/modules/event-log/index.ts';
import { eventText } from '../../src/modules/transactions/settle/event-text.ts';
import { documentOf } from '../idempotency/document.ts';
import { createSecrets } from '../journeys/secrets.ts';
import { walkThrough, type Answer } from '../journeys/walk.ts';
import { signIn } from '../sessions/browser-fetch.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { outcomesOfAllStates } from '../transactions/outcomes.ts';
import { payloadFaults } from './payload-faults.ts';

/** The events that neither the walk nor a settlement writes. Harnesses of other tests compare them with their schemas. */
const ELSEWHERE = [
  'capture.reversed',
  'dispute.won',
  'gift-card.updated',
  'payment-link.receipt-requested',
  'payment-method.paused',
  'payment-method.resumed',
  'payment-service.circuit-opened',
  'payment-service.circuit-closed',
  'payout.created',
  'recurring.token.created',
  'recurring.token.disabled',
  'refund.reversed',
  'refund-approval.requested',
  'refund-approval.approved',
  'refund-approval.rejected',
  'refund-approval.withdrawn',
  'refund-approval.expired',
  'refund-approval.failed',
  'retry-plan.scheduled',
  'retry-plan.succeeded',
  'retry-plan.exhausted',
  'retry-plan.ended',
  'settlement.difference-found',
  'settlement.difference-resolved',
  'settlement.difference-explained',
  'transaction.authenticated',
  'transaction.capture-reversed',
  'transaction.late-authorization',
  'transaction.expired',
  'transaction.review-rejected',
  'webhook-endpoint.failing',
  'webhook-endpoint.recovered',
  'webhook-endpoint.disabled',
];

let server: TestServer;
let provider: FakeProvider;
let receiver: Receiver;
let schema: GraphQLSchema;
let rows: readonly { readonly name: string; readonly payload: string }[];

beforeAll(async () => {
  [server, provider, receiver] = await Promise.all([startTestServer(), startFakeProvider(), startReceiver()]);
  schema = buildSchema(await readFile('schema/api.graphql', 'utf8'));
  await walkThrough({
    ...{ secrets: createSecrets(), send, ask, receiverUrl: receiver.url, providerUrl: provider.url },
    loseAnswer: () =>
      provider.failNext('lose_answer', ...Array.from({ length: 200 }, () => 'nonsense' as const)),
    openSession: () => signIn(server),
  });
  rows = await server.app.db.prisma.event.findMany({ select: { name: true, payload: true } });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([provider.close(), receiver.close()]);
});

async function ask<Answer>(text: string, variables: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { body } = await server.graphql<{ answer: Answer }>(text, variables);
  if (!body.data) throw new Error(JSON.stringify(body));
  return body.data.answer;
}

async function send(mutation: string, variables: Readonly<Record<string, unknown>>): Promise<Answer> {
  const document = documentOf(schema, mutation, 'record');
  const { body } = await server.graphql<{ payload: Answer }>(document, variables);
  const payload = body.data?.payload;
  if (!payload || (payload['userErrors'] as unknown[]).length > 0) throw new Error(JSON.stringify(body));
  return payload;
}

/** Every event that the settlement rules make, as text. */
const settled = (): readonly { readonly name: string; readonly payload: string }[] =>
  outcomesOfAllStates().flatMap(
    ({ changes }) =>
      changes?.events.map((event) => ({
        name: event.name,
        payload: eventText(event, {
          ...{ merchantAccountId: 'default', environment: 'sandbox' },
          createdAt: new Date('2026-05-01T12:00:00.000Z'),
        }),
      })) ?? [],
  );

describe('the JSON Schema of each event', () => {
  it('is a valid schema', () => {
    const ajv = new Ajv2020({ allowUnionTypes: true });
    addFormats.default(ajv);

    for (const name of EVENT_NAMES) expect(ajv.validateSchema(payloadSchema(name))).toBe(true);
  });

  it('describes every payload that a walk through all mutations writes', () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.flatMap(({ payload }) => payloadFaults(payload))).toEqual([]);
  });

  it('describes every payload of a settlement', () => {
    // The ids of the table are words.
    const faults = settled().flatMap(({ payload }) => payloadFaults(payload));

    expect(faults.filter((fault) => !fault.includes('"format":"uuid"'))).toEqual([]);
  });

  it('has been compared with a payload of each name', () => {
    const compared = new Set([...rows, ...settled()].map(({ name }) => name));

    expect(EVENT_NAMES.filter((name) => !compared.has(name))).toEqual(ELSEWHERE);
  });

  it('finds a payload with an unknown field, and a payload without a listed field', () => {
    const [row] = rows.filter(({ name }) => name === 'transaction.captured');
    const payload = row?.payload ?? '';

    expect(payloadFaults(payload.replace('"status"', '"state"'))).toHaveLength(2);
    expect(payloadFaults(payload.replace('capture_succeeded', 'CAPTURE_SUCCEEDED'))).toHaveLength(1);
  });

  it('is in the query eventTypes', async () => {
    const { body } = await server.graphql<{ eventTypes: readonly object[] }>(
      '{ eventTypes { name payloadSchema } }',
    );

    expect(body.data?.eventTypes).toEqual(
      EVENT_NAMES.map((name) => ({ name, payloadSchema: payloadSchema(name) })),
    );
  });
});
