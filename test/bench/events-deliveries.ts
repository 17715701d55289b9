import type { ServerProcess } from '../support/process.ts';
import type { BenchOptions } from './benches.ts';
import { startChild, type Child } from './child.ts';
import { BODY_BYTES, whenDelivered, whenRelayed, writeEvents } from './events-log.ts';
import { openQueues, rateUntilStored } from './events-queues.ts';
import type { Posting } from './post.ts';
import { takeTurns, type Turns } from './turns.ts';
import type { Received } from './webhook-receiver.ts';

/** With windows of 8, this many endpoints allow 128 concurrent requests, the maximum of two processes. */
export const ENDPOINTS = 16;
const AT_ONCE = 64;

export const deliveriesExtent = ({ quick }: BenchOptions) =>
  quick ? { rounds: 1, events: 60 } : { rounds: 7, events: 1_000 };

export type DeliveriesSettings = {
  readonly servers: readonly [ServerProcess, ServerProcess];
  readonly databaseUrl: string;
  readonly account: string;
  readonly token: string;
  readonly options: BenchOptions;
};

/**
 * Measures webhooks a second. Two servers deliver and settle a backlog. For the limit, two bare processes post as
 * many requests to the same receiver, which is a separate process. Two processes of each job queue do the same.
 */
export async function measureDeliveries(settings: DeliveriesSettings): Promise<Turns> {
  const { servers, databaseUrl, account, token, options } = settings;
  const { rounds, events } = deliveriesExtent(options);
  const [receiver, ...posters] = ['webhook-receiver.ts', 'bare-poster.ts', 'bare-poster.ts'].map((file) =>
    startChild(file),
  );
  if (!receiver) throw new Error('There is no receiver.');
  const address = await receiver.ask<string>('open');
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `${address}/endpoint-${index + 1}`);
  const endpoints = await Promise.all(urls.map((url) => createEndpoint(servers[0], token, url)));
  const setActive = (active: boolean) =>
    Promise.all(endpoints.map((id) => setEndpoint(servers[0], token, id, active)));
  const count = events * ENDPOINTS;
  const posting: Posting = { urls, count: count / posters.length, atOnce: AT_ONCE, body: BODY };
  const queues = openQueues({ receiver, databaseUrl, posting });
  const turns = await takeTurns({
    name: 'deliveries',
    rounds,
    options,
    ours: async () => {
      await setActive(false);
      await writeEvents(databaseUrl, [account], events);
      await whenRelayed(databaseUrl);
      await receiver.ask('reset');
      await setActive(true);
      return await rateUntilStored(receiver, count, () => whenDelivered(databaseUrl));
    },
    limit: () => postAll(receiver, posters, posting),
    peers: queues.rounds,
  });
  await setActive(false);
  await queues.end();
  await Promise.all([receiver, ...posters].map((child) => child.end()));
  return turns;
}

const BODY = JSON.stringify({ note: 'x'.repeat(BODY_BYTES - '{"note":""}'.length) });

async function postAll(receiver: Child, posters: readonly Child[], posting: Posting): Promise<number> {
  const count = posting.count * posters.length;
  await receiver.ask('reset');
  await Promise.all(posters.map((poster) => poster.ask('post', posting)));
  const { firstAt, lastAt } = await receiver.ask<Received>('await', count);
  return count / ((lastAt - firstAt) / 1_000);
}

/** Registers an address for every event of the token's merchant account. Returns the endpoint's id. */
export async function createEndpoint(server: ServerProcess, token: string, url: string): Promise<string> {
  type Created = { readonly payload: { readonly webhookEndpoint: { readonly id: string } | null } };
  const { body } = await server.graphql<Created>(
    `mutation ($url: String!) {
       payload: createWebhookEndpoint(input: { url: $url }) { webhookEndpoint { id } userErrors { message } } }`,
    { url },
    { token },
  );
  const id = body.data?.payload.webhookEndpoint?.id;
  if (id === undefined) throw new Error(`No endpoint was made: ${JSON.stringify(body)}`);
  return id;
}

async function setEndpoint(server: ServerProcess, token: string, id: string, active: boolean): Promise<void> {
  const { body } = await server.graphql(
    `mutation ($id: ID!, $active: Boolean!) {
       updateWebhookEndpoint(id: $id, input: { active: $active }) { webhookEndpoint { state } } }`,
    { id, active },
    { token },
  );
  if (body.errors) throw new Error(JSON.stringify(body.errors));
}
