import { setTimeout as delay } from 'node:timers/promises';
import { forOutput } from '../colours.ts';
import type { Client } from './client.ts';
import { startProvider, startReceiver, type ReceivedWebhook } from './listeners.ts';

type UserError = { readonly code: string; readonly message: string };
type FollowUp = {
  readonly transaction: {
    readonly status: string;
    readonly capturedAmount: number;
    readonly refundedAmount: number;
  } | null;
  readonly userErrors: readonly UserError[];
  readonly replayed: boolean;
};

/** The output of the demo, one call for each line. */
export type Tell = (line: string) => void;

/** The payment at the end, and the calls and events that the demo saw. */
export type Told = {
  readonly transaction: Readonly<Record<string, unknown>>;
  /** Operations with their amounts, such as `capture 1000`. */
  readonly providerCalls: readonly string[];
  readonly liveEvents: number;
  readonly webhooks: number;
};

const STEPS = 9;
const EVENTS_WAIT_MS = 10_000;

/**
 * Runs one payment from end to end against a running sandbox, and prints each step. The demo plays the provider and the
 * webhook receiver, so it can count the calls of each. Returns the counts. Throws at any unexpected result.
 */
export async function tellStory(client: Client, tell: Tell): Promise<Told> {
  const calls: string[] = [];
  const webhooks: ReceivedWebhook[] = [];
  const live: number[] = [];
  let secret = '';
  const step = numbered(tell);

  const provider = await startProvider(({ operation, amount }) => calls.push(`${operation} ${amount}`));
  const receiver = await startReceiver(
    () => secret,
    (webhook) => {
      webhooks.push(webhook);
      const mark = webhook.verified
        ? forOutput.green('signature verified')
        : forOutput.red('SIGNATURE NOT VALID');
      tell(`     ${forOutput.cyan('webhook')}  #${webhook.sequence} ${webhook.name.padEnd(24)} ${mark}`);
    },
  );
  try {
    step('Connect a payment service (the demo plays its provider)');
    const serviceId = await connect(client, provider.url);
    tell(`     payment service ${serviceId}`);

    step('Register a webhook endpoint (the demo listens on it)');
    const endpoint = await register(client, receiver.url);
    secret = endpoint.secret;
    tell(`     ${receiver.url} with a signing secret of its own`);

    step('Subscribe to live events over a websocket');
    const subscription = await client.subscribe<{ events: { sequence: number; name: string } }>(
      'subscription { events { sequence name } }',
      ({ events }) => {
        live.push(events.sequence);
        tell(`     ${forOutput.magenta('live')}     #${events.sequence} ${events.name}`);
      },
    );
    await delay(200);

    const published = (events: number): Promise<void> =>
      until(() => live.length >= events && webhooks.length >= events);
    const id = await pay({ client, serviceId, step, tell, calls, published });

    step('Look at it once more');
    const told = await recap(client, id, { calls, live, webhooks }, tell);
    subscription.close();
    await tidyUp(client, serviceId, endpoint.id);
    return told;
  } finally {
    provider.close();
    receiver.close();
  }
}

type Payment = {
  readonly client: Client;
  readonly serviceId: string;
  readonly step: Tell;
  readonly tell: Tell;
  readonly calls: readonly string[];
  /** Resolves when some number of events have come live and as webhooks. */
  readonly published: (events: number) => Promise<void>;
};

/** Authorises, captures, refunds, repeats and reuses a key. Returns the transaction's id. */
async function pay({ client, serviceId, step, tell, calls, published }: Payment): Promise<string> {
  step('Authorise 12.99 USD with card 4111 1111 1111 1111');
  const id = await authorise(client, serviceId);
  tell(`     transaction ${id}: ${forOutput.bold('AUTHORIZATION_SUCCEEDED')}`);
  await published(1);

  step('Capture 10.00 of it, with an idempotency key');
  const captured = await followUp(client, 'capture', id, 1000, `capture-${id}`);
  tell(
    `     ${forOutput.bold(captured.transaction?.status ?? '')}, captured ${captured.transaction?.capturedAmount ?? 0}`,
  );
  await published(3);

  step('Refund 4.00');
  const refunded = await followUp(client, 'refund', id, 400, `refund-${id}`);
  tell(
    `     refunded ${refunded.transaction?.refundedAmount ?? 0} of ${refunded.transaction?.capturedAmount ?? 0}`,
  );
  await published(4);

  step('Repeat the capture with the same key');
  const before = calls.length;
  const repeated = await followUp(client, 'capture', id, 1000, `capture-${id}`);
  insist(repeated.replayed && calls.length === before, 'The repeat reached the provider.');
  tell(`     answered from the record (replayed: true); the provider was not called`);

  step('Use the same key with another amount');
  const reused = await followUp(client, 'capture', id, 999, `capture-${id}`);
  insist(reused.userErrors[0]?.code === 'IDEMPOTENCY_KEY_REUSED', 'The reuse was not refused.');
  tell(
    `     refused: ${forOutput.yellow(reused.userErrors[0]?.code ?? '')} ${reused.userErrors[0]?.message ?? ''}`,
  );
  return id;
}

async function connect(client: Client, url: string): Promise<string> {
  const { created } = await client.run<{
    created: { paymentService: { id: string } | null; userErrors: UserError[] };
  }>(
    `mutation ($input: CreatePaymentServiceInput!) {
      created: createPaymentService(input: $input) { paymentService { id } userErrors { code message } } }`,
    {
      input: {
        displayName: 'Demo provider',
        paymentServiceDefinitionId: 'mock-card',
        fields: [
          { key: 'merchant_id', value: 'demo' },
          { key: 'api_url', value: url },
        ],
        acceptedCurrencies: ['USD'],
        acceptedCountries: ['US'],
      },
    },
  );
  return present(created.paymentService, created.userErrors).id;
}

async function register(client: Client, url: string): Promise<{ id: string; secret: string }> {
  const { created } = await client.run<{
    created: { webhookEndpoint: { id: string } | null; secret: string | null; userErrors: UserError[] };
  }>(
    `mutation ($input: CreateWebhookEndpointInput!) {
      created: createWebhookEndpoint(input: $input) { webhookEndpoint { id } secret userErrors { code message } } }`,
    { input: { url, description: 'Demo' } },
  );
  const { id } = present(created.webhookEndpoint, created.userErrors);
  return { id, secret: created.secret ?? '' };
}

async function authorise(client: Client, paymentServiceId: string): Promise<string> {
  const { created } = await client.run<{
    created: { transaction: { id: string; status: string } | null; userErrors: UserError[] };
  }>(
    `mutation ($input: CreateTransactionInput!) {
      created: createTransaction(input: $input) { transaction { id status } userErrors { code message } } }`,
    {
      input: {
        amount: 1299,
        currency: 'USD',
        paymentServiceId,
        paymentMethod: {
          card: { number: '4111 1111 1111 1111', expirationDate: '03/30', securityCode: '100' },
        },
      },
    },
  );
  const { id, status } = present(created.transaction, created.userErrors);
  insist(status === 'AUTHORIZATION_SUCCEEDED', `The payment is ${status}.`);
  return id;
}

async function followUp(
  client: Client,
  verb: 'capture' | 'refund',
  id: string,
  amount: number,
  key: string,
): Promise<FollowUp> {
  const input = verb === 'capture' ? 'CaptureInput' : 'RefundInput';
  const { done } = await client.run<{ done: FollowUp }>(
    `mutation ($id: ID!, $input: ${input}!, $key: String!) {
      done: ${verb}Transaction(id: $id, input: $input, idempotencyKey: $key) {
        transaction { status capturedAmount refundedAmount } userErrors { code message } replayed } }`,
    { id, input: { amount }, key },
  );
  return done;
}

/** Everything that the demo saw. */
type Seen = {
  readonly calls: readonly string[];
  readonly live: readonly number[];
  readonly webhooks: readonly ReceivedWebhook[];
};

async function recap(client: Client, id: string, seen: Seen, tell: Tell): Promise<Told> {
  const { calls, live, webhooks } = seen;
  const { transaction } = await client.run<{ transaction: Record<string, unknown> }>(
    'query ($id: ID!) { transaction(id: $id) { status authorizedAmount capturedAmount refundedAmount } }',
    { id },
  );
  tell(`     ${JSON.stringify(transaction)}`);
  tell(`     the provider was called ${calls.length} times: ${calls.join(', ')}`);
  insist(calls.length === 3, 'The provider was not called three times.');
  insist(
    live.every((sequence, index) => index === 0 || sequence === (live[index - 1] ?? 0) + 1),
    'The feed has a gap.',
  );
  insist(
    webhooks.every(({ verified }) => verified),
    'A webhook was not signed.',
  );
  tell(`     ${live.length} live events in order, ${webhooks.length} webhooks, every signature verified`);
  const counts = { liveEvents: live.length, webhooks: webhooks.length };
  return { transaction: { id, ...transaction }, providerCalls: calls, ...counts };
}

/** Deletes the records of the demo that the service would call later. */
async function tidyUp(client: Client, serviceId: string, endpointId: string): Promise<void> {
  await client.run(
    `mutation ($service: ID!, $endpoint: ID!) {
      deletePaymentService(id: $service) { userErrors { code } } deleteWebhookEndpoint(id: $endpoint) { deletedId } }`,
    { service: serviceId, endpoint: endpointId },
  );
}

function numbered(tell: Tell): Tell {
  let number = 0;
  return (line) => tell(`\n${forOutput.dim(`${++number}/${STEPS}`)}  ${forOutput.bold(line)}`);
}

async function until(isTrue: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + EVENTS_WAIT_MS;
  while (!isTrue()) {
    insist(Date.now() < giveUpAt, 'Events or webhooks did not arrive within ten seconds.');
    await delay(20);
  }
}

function present<Value>(value: Value | null, userErrors: readonly UserError[]): Value {
  if (value === null) throw new Error(userErrors.map(({ message }) => message).join(' '));
  return value;
}

function insist(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new Error(sentence);
}
