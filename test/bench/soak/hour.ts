import { startProcess, type ServerProcess } from '../../support/process.ts';
import { createPayingAccount } from '../accounts.ts';
import type { BenchOptions } from '../benches.ts';
import { startChild, type Child } from '../child.ts';
import { DEFAULT_BUDGETS, inDatabase } from '../database.ts';
import { createEndpoint } from '../events-deliveries.ts';
import { whenDelivered } from '../events-log.ts';
import { heldMb } from '../memory.ts';
import type { Answers, Apart } from '../overload/callers.ts';
import { table } from '../results.ts';
import { percentile } from '../statistics.ts';
import { paymentsOf, sizesOf } from './sizes.ts';

const ACCOUNTS = 10;
const SOCKETS_EACH = 5;

/** The share of the capacity that the accounts want. */
const SHARE = 0.6;

export const hourExtent = ({ quick }: BenchOptions) =>
  quick ? { slices: 3, sliceMs: 2_000, warmUpMs: 1_000 } : { slices: 60, sliceMs: 60_000, warmUpMs: 20_000 };

type Slice = {
  readonly perSecond: number;
  readonly durations: readonly number[];
  readonly others: number;
  readonly memoryMb: number;
  readonly bytesEach: number;
  readonly dead: number;
};

type Load = {
  readonly server: ServerProcess;
  readonly databaseUrl: string;
  readonly callers: Child;
  readonly receiver: Child;
  readonly tokens: readonly string[];
};

/**
 * Keeps a process at a steady load for an hour, in slices. Every account has an endpoint for webhooks, and subscribers. Measures the
 * payments, the memory and the space of each slice.
 */
export const measureHour = (options: BenchOptions): Promise<string> =>
  inDatabase('disk', async (base) => {
    const server = await startProcess({ ...base, ...DEFAULT_BUDGETS });
    const [callers, receiver, subscribers] = [
      'overload/callers.ts',
      'webhook-receiver.ts',
      'subscribers.ts',
    ].map((file) => startChild(file)) as [Child, Child, Child];
    try {
      const address = await receiver.ask<string>('open');
      const tokens: string[] = [];
      for (let nth = 1; nth <= ACCOUNTS; nth += 1) {
        const { token } = await createPayingAccount(server, `shop-${nth}`);
        await createEndpoint(server, token, `${address}/${nth}`);
        tokens.push(token);
      }
      const url = `${server.url.replace('http', 'ws')}/graphql`;
      await subscribers.ask('subscribe', { url, tokens, socketsEach: SOCKETS_EACH });
      return await measureSlices(
        { server, databaseUrl: base.DATABASE_URL, callers, receiver, tokens },
        options,
      );
    } finally {
      await Promise.all([callers, receiver, subscribers].map((child) => child.end()));
      await server.stop();
    }
  });

async function measureSlices(load: Load, options: BenchOptions): Promise<string> {
  const capacity = await capacityOf(load, options);
  const slices: Slice[] = [];
  for (let nth = 1; nth <= hourExtent(options).slices; nth += 1) {
    slices.push(await measureSlice(load, capacity * SHARE, options));
    options.progress(`slice ${nth}: ${slices.at(-1)?.memoryMb.toFixed(0)} MB`);
    // The receiver keeps each arrival until then.
    await load.receiver.ask('reset');
  }
  return describeHour(capacity, slices);
}

async function capacityOf({ server, callers, tokens }: Load, options: BenchOptions): Promise<number> {
  const { warmUpMs } = hourExtent(options);
  const all = tokens.map((token) => ({ token, perSecond: 0 }));
  const together = (): Promise<readonly Answers[]> =>
    callers.ask('together', { url: server.url, callers: all, ms: warmUpMs, atOnce: 2 });
  await together();
  const accepted = (await together()).reduce((sum, each) => sum + each.accepted, 0);
  return accepted / (warmUpMs / 1_000);
}

async function measureSlice(load: Load, perSecond: number, options: BenchOptions): Promise<Slice> {
  const { server, databaseUrl, callers, tokens } = load;
  const wishes = tokens.map((token) => ({ token, perSecond: perSecond / tokens.length }));
  const { sliceMs } = hourExtent(options);
  const { answers, ms } = await callers.ask<Apart>('apart', {
    url: server.url,
    callers: wishes,
    ms: sliceMs,
  });
  await whenDelivered(databaseUrl);
  const [sizes, payments] = [await sizesOf(databaseUrl), await paymentsOf(databaseUrl)];
  return {
    perSecond: answers.reduce((sum, { accepted }) => sum + accepted, 0) / (ms / 1_000),
    durations: answers.flatMap(({ durations }) => durations),
    others: answers.reduce((sum, { others, refused }) => sum + others.length + refused, 0),
    memoryMb: (await heldMb(server.pid)) ?? NaN,
    bytesEach: (sizes.passing + sizes.lasting) / payments,
    dead: sizes.dead / payments,
  };
}

function describeHour(capacity: number, slices: readonly Slice[]): string {
  const every = Math.max(1, Math.floor(slices.length / 6));
  const shown = slices.map((slice, nth) => ({ slice, nth: nth + 1 })).filter(({ nth }) => nth % every === 0);
  return [
    `**At ${SHARE * 100} % of its capacity.** ${ACCOUNTS} merchant accounts authorise ${(capacity * SHARE).toFixed(0)} payments a second ` +
      `together, each with an endpoint for webhooks and ${SOCKETS_EACH} subscribers. The capacity is ${capacity.toFixed(0)} a second.`,
    table([
      [
        'slice',
        'payments a second',
        'p50 in ms',
        'p99 in ms',
        'not authorised',
        'memory in MB',
        'kB a payment',
        'dead rows a payment',
      ],
      ...shown.map(({ slice, nth }) => [
        String(nth),
        slice.perSecond.toFixed(1),
        percentile(slice.durations, 0.5).toFixed(1),
        percentile(slice.durations, 0.99).toFixed(1),
        String(slice.others),
        slice.memoryMb.toFixed(0),
        (slice.bytesEach / 1_000).toFixed(2),
        slice.dead.toFixed(2),
      ]),
    ]),
  ].join('\n\n');
}
