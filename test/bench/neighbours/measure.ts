import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { authorization, DOCUMENTS, payloadOf } from '../../support/payments.ts';
import { query } from '../../support/database.ts';
import type { ServerProcess } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { askAs, createPayingAccount } from '../accounts.ts';
import { startChild } from '../child.ts';
import { openConnection, type Connection } from '../connection.ts';
import { writeEvents } from '../events-log.ts';
import type { AttackName, Target } from './attacks.ts';

/** The milliseconds of one account's payments, alone and beside its neighbour, and what the neighbour got done. */
export type Beside = {
  readonly alone: readonly number[];
  readonly beside: readonly number[];
  /** Answers, messages or streams a second of the neighbour, alone and beside the payments. */
  readonly rateAlone: number;
  readonly rate: number;
};

export type MeasureSettings = {
  readonly server: ServerProcess;
  readonly neighbour: Target;
  /** The payments of each sample. */
  readonly payments: number;
  /** The time that the neighbour works alone. */
  readonly aloneMs: number;
};

/** Measures the payments of the account `default` beside an attack of its neighbour. */
export async function measureBeside(name: AttackName, settings: MeasureSettings): Promise<Beside> {
  const { server, neighbour: target, payments, aloneMs } = settings;
  const connection = await openConnection(server.url, server.token);
  const alone = await pay(connection, payments);
  const attacker = startChild('neighbours/attacker.ts');
  await attacker.ask('start', { name, target });
  // The neighbour's connections are open, and its first requests are answered.
  await delay(WARM_UP_MS);
  const rateOver = async (run: () => Promise<unknown>): Promise<number> => {
    const [before, from] = [await attacker.ask<number>('count'), performance.now()];
    await run();
    return ((await attacker.ask<number>('count')) - before) / ((performance.now() - from) / 1_000);
  };
  const rateAlone = await rateOver(() => delay(aloneMs));
  let beside: readonly number[] = [];
  const rate = await rateOver(async () => {
    beside = await pay(connection, payments);
  });
  await attacker.ask('stop');
  await attacker.end();
  connection.close();
  return { alone, beside, rateAlone, rate };
}

const WARM_UP_MS = 1_000;

/** The pause between two payments. A shop is not a benchmark. */
const PAUSE_MS = 20;

async function pay(connection: Connection, payments: number): Promise<readonly number[]> {
  const { variables } = authorization(1_299, null);
  const durations: number[] = [];
  for (let nth = 0; nth < payments; nth += 1) {
    const body = JSON.stringify({
      query: DOCUMENTS.authorize,
      variables: { ...variables, key: randomUUID() },
    });
    const from = performance.now();
    const text = await connection.ask(body);
    durations.push(performance.now() - from);
    const status = payloadOf(text)?.transaction?.status;
    if (status !== 'AUTHORIZATION_SUCCEEDED') throw new Error(`A payment beside the neighbour is ${status}.`);
    await delay(PAUSE_MS);
  }
  return durations;
}

/** The events of the neighbour's past. */
const EVENTS = 5_600;

const PAYMENTS = 100;

/** Creates the neighbour: a merchant account with a payment service, a payment link, payments and a past of events. */
export async function createNeighbour(server: ServerProcess, databaseUrl: string): Promise<Target> {
  const { id, token, webhookUrl } = await createPayingAccount(server, 'neighbour');
  type Link = { readonly createPaymentLink: { readonly paymentLink: { readonly url: string } } };
  const { createPaymentLink: link } = await askAs<Link>(
    server,
    token,
    `mutation { createPaymentLink(input: { amount: 1299, currency: "USD", country: "US" }) { paymentLink { url } } }`,
  );
  const connection = await openConnection(server.url, token);
  await pay(connection, PAYMENTS);
  connection.close();
  await writeEvents(databaseUrl, [id], EVENTS);
  await untilOrdered(databaseUrl, id);
  const pathOf = (url: string): string => new URL(url).pathname;
  return {
    ...{ url: server.url, token },
    page: pathOf(link.paymentLink.url),
    webhooks: pathOf(webhookUrl),
  };
}

/** Waits until the relay has put the events into the feed. */
async function untilOrdered(databaseUrl: string, account: string): Promise<void> {
  const head = 'SELECT count(*)::int AS events FROM feed_entry WHERE merchant_account_id = $1';
  await until(async () => {
    const [row] = await query<{ events: number }>(databaseUrl, head, [account]);
    return row !== undefined && row.events >= EVENTS;
  }, 'the feed of the neighbour');
}
