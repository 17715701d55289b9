import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { oldestWaitingEvent, startRelay } from '../../src/modules/events/index.ts';
import { EVENT_NAMES } from '../../src/modules/event-log/index.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from './harness.ts';

let server: TestServer;
let stopRelay: () => Promise<void>;
beforeAll(async () => {
  server = await startTestServer();
  const relay = startRelay(server.app);
  stopRelay = () => relay.stop();
});
afterAll(async () => {
  await stopRelay();
  await server.stop();
});

type Typed = { readonly id: string; readonly type: string };

async function ask<Data>(document: string, variables: Record<string, unknown> = {}): Promise<Data> {
  const { body } = await server.graphql<Data>(document, variables);
  if (!body.data || body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

describe('a record', () => {
  it('has the type that its events name', async () => {
    const { buyer } = await ask<{ buyer: { buyer: Typed } }>(
      'mutation { buyer: createBuyer(input: { displayName: "Ada" }) { buyer { id type } } }',
    );
    const { details } = await ask<{ details: { shippingDetails: Typed } }>(
      `mutation ($buyerId: ID!) {
        details: createShippingDetails(buyerId: $buyerId, input: { firstName: "Ada" }) { shippingDetails { id type } } }`,
      { buyerId: buyer.buyer.id },
    );
    const { link } = await ask<{ link: { paymentLink: Typed } }>(
      `mutation { link: createPaymentLink(input: { amount: 1299, currency: "USD", country: "US" }) {
        paymentLink { id type } } }`,
    );
    const records = [buyer.buyer, details.shippingDetails, link.paymentLink];
    expect(records.map(({ type }) => type)).toEqual(['buyer', 'shipping-details', 'payment-link']);

    await until(async () => (await oldestWaitingEvent(server.app)) === null, 'the relay');
    const { events } = await ask<{ events: { nodes: { target: Typed }[] } }>(
      '{ events(types: ["buyer.*", "shipping-details.*", "payment-link.*"]) { nodes { target { id type } } } }',
    );
    expect(events.nodes.map(({ target }) => target)).toEqual(records);
  });
});

describe('eventTypes', () => {
  it('lists every name once, each with a sentence', async () => {
    const { eventTypes } = await ask<{ eventTypes: { name: string; description: string }[] }>(
      '{ eventTypes { name description } }',
    );

    expect(eventTypes.map(({ name }) => name)).toEqual([...EVENT_NAMES]);
    expect(eventTypes).toContainEqual({ name: 'buyer.created', description: 'A buyer was created.' });
    for (const { description } of eventTypes) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  it('needs the scope of events', async () => {
    const token = await server.mint({ scopes: ['buyers.read'] });
    const { body } = await server.graphql('{ eventTypes { name } }', {}, { token });

    expect(body.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });
});
