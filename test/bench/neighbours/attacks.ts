import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { authorization, DOCUMENTS } from '../../support/payments.ts';
import { openGraphqlSocket } from '../graphql-socket.ts';

/** The neighbour's places at the service. */
export type Target = {
  readonly url: string;
  readonly token: string;
  /** The path of a payment link, and of a payment service's webhooks. */
  readonly page: string;
  readonly webhooks: string;
};

/** Works until the signal. `did` counts each answer, message or piece. */
type Attack = (target: Target, did: () => void, signal: AbortSignal) => Promise<void>;

/** The work that one merchant account may do within its budgets, by name. */
export const ATTACKS = {
  '10 payments at once': (target, did, signal) => atOnce(10, pays(target), did, signal),
  '40 payments at once': (target, did, signal) => atOnce(40, pays(target), did, signal),
  '200 payments at once': (target, did, signal) => atOnce(200, pays(target), did, signal),
  '40 REST payments at once': (target, did, signal) => atOnce(40, paysByRest(target), did, signal),
  '40 { __typename } at once': (target, did, signal) =>
    atOnce(40, asks(target, '{ __typename }'), did, signal),
  '40 lists at once': (target, did, signal) => atOnce(40, asks(target, LIST), did, signal),
  '40 websocket queries at once': (target, did, signal) =>
    asksOverSockets(target, { sockets: 2, each: 20 }, did, signal),
  '40 dashboard pages at once': ({ url }, did, signal) =>
    atOnce(40, () => send(`${url}/dashboard`, { method: 'GET' }), did, signal),
  '4 exports at once': (target, did, signal) => atOnce(4, exportsEvents(target, signal), did, signal),
  'replays of all events': replays,
  '40 subscriptions from the beginning': (target, did, signal) =>
    subscribes(target, { sockets: 2, each: 20, reads: true }, did, signal),
  '1000 subscriptions that stop reading': (target, did, signal) =>
    subscribes(target, { sockets: 20, each: 50, reads: false }, did, signal),
  '40 event streams from the beginning': (target, did, signal) =>
    atOnce(40, streams(target, signal), did, signal),
  '40 payment pages at once': ({ url, page }, did, signal) =>
    atOnce(40, () => send(`${url}${page}`, { method: 'GET' }), did, signal),
  '40 webhooks at once': ({ url, webhooks }, did, signal) =>
    atOnce(
      40,
      () => send(`${url}${webhooks}`, { method: 'POST' }, '{"event":"capture.succeeded"}'),
      did,
      signal,
    ),
} as const satisfies Readonly<Record<string, Attack>>;

export type AttackName = keyof typeof ATTACKS;

const LIST = '{ transactions(first: 20) { nodes { id status amount buyer { id } } } }';
const FROM_THE_BEGINNING = 'subscription { events(after: "BEGIN") { id name cursor payload } }';

/** Repeats work in so many loops. */
async function atOnce(
  count: number,
  work: () => Promise<unknown>,
  did: () => void,
  signal: AbortSignal,
): Promise<void> {
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await work();
      did();
    }
  };
  await Promise.all(Array.from({ length: count }, loop));
}

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });

/** Sends a request and returns its answer, whatever the status. */
function send(url: string, options: RequestOptions, body?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, ...options }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => void (text += part));
      answer.once('end', () => resolve(text));
      answer.once('error', reject);
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

const json = (token: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
});

const asks =
  ({ url, token }: Target, query: string) =>
  () =>
    send(`${url}/graphql`, json(token), JSON.stringify({ query }));

const { variables } = authorization(1_299, null);

const pays =
  ({ url, token }: Target) =>
  () =>
    send(
      `${url}/graphql`,
      json(token),
      JSON.stringify({ query: DOCUMENTS.authorize, variables: { ...variables, key: randomUUID() } }),
    );

const REST_PAYMENT = JSON.stringify({
  amount: 1_299,
  currency: 'USD',
  payment_method: {
    method: 'card',
    number: '4111111111111111',
    expiration_date: '12/40',
    security_code: '100',
  },
});

const paysByRest =
  ({ url, token }: Target) =>
  () =>
    send(`${url}/transactions`, json(token), REST_PAYMENT);

/** Runs an operation and returns its data. Null for a refusal, after a pause. */
async function ask<Data>(
  { url, token }: Target,
  query: string,
  variables: object = {},
): Promise<Data | null> {
  const text = await send(`${url}/graphql`, json(token), JSON.stringify({ query, variables }));
  const { data = null } = JSON.parse(text) as { data?: Data | null };
  if (data === null) await delay(REFUSED_PAUSE_MS);
  return data;
}

const REFUSED_PAUSE_MS = 100;

/** Writes a file of all events and downloads it. */
const exportsEvents = (target: Target, signal: AbortSignal) => async (): Promise<void> => {
  type Created = { readonly createExport: { readonly exportId: string | null } };
  type Found = { readonly export: { readonly status: string; readonly downloadUrl: string | null } | null };
  const created = await ask<Created>(
    target,
    'mutation { createExport(input: { type: EVENTS, format: JSON }) { exportId } }',
  );
  const id = created?.createExport.exportId ?? null;
  while (id !== null && !signal.aborted) {
    const found = await ask<Found>(target, 'query ($id: ID!) { export(id: $id) { status downloadUrl } }', {
      id,
    });
    const downloadUrl = found?.export?.downloadUrl ?? null;
    if (downloadUrl !== null) {
      const { pathname, search } = new URL(downloadUrl);
      await send(`${target.url}${pathname}${search}`, { method: 'GET' });
      return;
    }
    await delay(EXPORT_LOOK_MS);
  }
};

const EXPORT_LOOK_MS = 50;

/** Sends all events to an endpoint again and again. */
async function replays(target: Target, did: () => void, signal: AbortSignal): Promise<void> {
  const receiver = createServer((incoming, answer) => {
    incoming.resume();
    incoming.once('end', () => {
      did();
      answer.end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  type Created = { readonly createWebhookEndpoint: { readonly webhookEndpoint: { readonly id: string } } };
  const created = await ask<Created>(
    target,
    'mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { webhookEndpoint { id } } }',
    { url: `http://127.0.0.1:${port}/` },
  );
  const id = created?.createWebhookEndpoint.webhookEndpoint.id;
  while (!signal.aborted) {
    await ask(
      target,
      'mutation ($id: ID!) { replayEvents(input: { webhookEndpointId: $id, scope: ALL }) { replayJobId userErrors { code } } }',
      { id },
    );
    await delay(REPLAY_PAUSE_MS);
  }
  await ask(target, 'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { userErrors { code } } }', { id });
  receiver.close();
  receiver.closeAllConnections();
}

const REPLAY_PAUSE_MS = 500;

/** Reads an event stream for a while, then opens the next one. */
const streams =
  ({ url, token }: Target, signal: AbortSignal) =>
  () =>
    new Promise<void>((resolve, reject) => {
      const { method, headers } = json(token);
      const options = { agent, method, headers: { ...headers, accept: 'text/event-stream' } };
      const asked = request(`${url}/graphql`, options, (answer) => {
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > STREAM_BYTES) answer.destroy();
        });
        answer.once('error', reject);
        answer.once('close', resolve);
        signal.addEventListener('abort', () => answer.destroy(), { once: true });
      });
      asked.once('error', reject);
      asked.end(JSON.stringify({ query: FROM_THE_BEGINNING }));
    });

const STREAM_BYTES = 4_000_000;

type Subscribers = { readonly sockets: number; readonly each: number; readonly reads: boolean };

/** Sends queries over sockets. Each of them follows the end of the one before. */
async function asksOverSockets(
  { url, token }: Target,
  { sockets, each }: Omit<Subscribers, 'reads'>,
  did: () => void,
  signal: AbortSignal,
): Promise<void> {
  const address = `${url.replace('http', 'ws')}/graphql`;
  const opened = await Promise.all(Array.from({ length: sockets }, () => openGraphqlSocket(address, token)));
  for (const socket of opened) {
    const asking = (id: string): void =>
      socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query: LIST } }));
    socket.on('message', (data: Buffer) => {
      const { type, id } = JSON.parse(data.toString()) as { type: string; id: string };
      if (type !== 'complete' && type !== 'error') return;
      did();
      asking(id);
    });
    for (let nth = 1; nth <= each; nth += 1) asking(String(nth));
  }
  if (!signal.aborted) await once(signal, 'abort');
  opened.forEach((socket) => socket.terminate());
}

/** Reads the past, and holds the subscriptions open. */
async function subscribes(
  { url, token }: Target,
  { sockets, each, reads }: Subscribers,
  did: () => void,
  signal: AbortSignal,
): Promise<void> {
  const address = `${url.replace('http', 'ws')}/graphql`;
  const opened = await Promise.all(Array.from({ length: sockets }, () => openGraphqlSocket(address, token)));
  for (const socket of opened) {
    for (let nth = 1; nth <= each; nth += 1)
      socket.send(
        JSON.stringify({ id: String(nth), type: 'subscribe', payload: { query: FROM_THE_BEGINNING } }),
      );
    socket.on('message', did);
    if (!reads) socket.pause();
  }
  if (!signal.aborted) await once(signal, 'abort');
  opened.forEach((socket) => socket.terminate());
}
