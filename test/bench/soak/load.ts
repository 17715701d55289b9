import { randomBytes } from 'node:crypto';
import { mintFromFile, sandboxKeyFile } from '../../../src/cli/run/token.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { query } from '../../support/database.ts';
import { startProcess, type ServerProcess } from '../../support/process.ts';
import { createPayingAccount } from '../accounts.ts';
import type { BenchOptions } from '../benches.ts';
import { startChild, type Child } from '../child.ts';
import { DEFAULT_BUDGETS } from '../database.ts';
import { createEndpoint } from '../events-deliveries.ts';
import { whenDelivered } from '../events-log.ts';
import { heldMb } from '../memory.ts';
import type { Answers, Apart } from '../overload/callers.ts';
import { percentile } from '../statistics.ts';
import { inSoak, type Soak } from './kept.ts';
import { sizesOf, type Sizes } from './sizes.ts';

const ACCOUNTS = 10;
export const SOCKETS_EACH = 5;

/** The share of the capacity that the accounts want. */
export const SHARE = 0.6;

/** A slice of load without `--slice` is an hour. */
const MINUTES = 60;

const extentOf = ({ quick, slice }: BenchOptions) =>
  quick
    ? { samples: 3, sampleMs: 2_000, warmUpMs: 1_000 }
    : { samples: slice?.count ?? MINUTES, sampleMs: 60_000, warmUpMs: 20_000 };

/** The measurements of one minute. */
export type Sample = {
  readonly perSecond: number;
  /** Milliseconds. Null without a payment. */
  readonly p50: number | null;
  readonly p99: number | null;
  readonly refused: number;
  /** The answers that were neither a payment nor a refusal for too much load. */
  readonly others: readonly string[];
  readonly memoryMb: number;
  /** The hours since the start of the process. */
  readonly atHours: number;
  readonly sizes: Sizes;
};

/** One process under a steady load. Payments a second of its capacity. */
export type LoadPart = { readonly capacity: number; readonly samples: readonly Sample[] };

/** The longest wait for webhooks. They take seconds. */
const DELIVERED_MS = 120_000;

type Load = {
  readonly startedMs: number;
  readonly server: ServerProcess;
  readonly databaseUrl: string;
  readonly callers: Child;
  readonly receiver: Child;
  readonly tokens: readonly string[];
};

/**
 * Keeps a new process at a steady load, and measures each minute. Every account has an endpoint for webhooks, and subscribers.
 * Returns all slices so far.
 */
export const soakUnderLoad = (options: BenchOptions): Promise<readonly LoadPart[]> =>
  inSoak<LoadPart, readonly LoadPart[]>('minutes', options, async (soak) => {
    const startedMs = performance.now();
    const server = await startProcess({ ...soak.settings, ...DEFAULT_BUDGETS });
    const [callers, receiver, subscribers] = [
      'overload/callers.ts',
      'webhook-receiver.ts',
      'subscribers.ts',
    ].map((file) => startChild(file)) as [Child, Child, Child];
    try {
      await removeEndpoints(server, soak.settings.DATABASE_URL);
      const address = await receiver.ask<string>('open');
      const tokens: string[] = [];
      const slice = randomBytes(4).toString('hex');
      for (let nth = 1; nth <= ACCOUNTS; nth += 1) {
        // A slice that was interrupted has left its accounts.
        const id = `shop-${slice}-${nth}`;
        const { token } = await createPayingAccount(server, id, TOKENS);
        await createEndpoint(server, token, `${address}/${nth}`);
        tokens.push(token);
      }
      const url = `${server.url.replace('http', 'ws')}/graphql`;
      await subscribers.ask('subscribe', { url, tokens, socketsEach: SOCKETS_EACH });
      const databaseUrl = soak.settings.DATABASE_URL;
      return await measureMinutes(
        { startedMs, server, databaseUrl, callers, receiver, tokens },
        soak,
        options,
      );
    } finally {
      await Promise.all([callers, receiver, subscribers].map((child) => child.end()));
      await server.stop();
    }
  });

/** Removes the endpoints of earlier slices. Their receivers are gone, and retries to them would hold each minute back. */
async function removeEndpoints(server: ServerProcess, databaseUrl: string): Promise<void> {
  const endpoints = await query<{ id: string; merchantAccount: string }>(
    databaseUrl,
    'SELECT id, merchant_account_id AS "merchantAccount" FROM webhook_endpoint WHERE deleted_at IS NULL',
  );
  for (const { id, merchantAccount } of endpoints) {
    const token = await mintFromFile(sandboxKeyFile(server.dataFolder), { merchantAccount }, systemClock);
    await server.graphql(
      'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { userErrors { message } } }',
      { id },
      { token },
    );
  }
}

/** The tokens outlast any slice. */
const TOKENS = { expires: '24h' };

async function measureMinutes(
  load: Load,
  { earlier, keep }: Soak<LoadPart>,
  options: BenchOptions,
): Promise<readonly LoadPart[]> {
  const capacity = await capacityOf(load, options);
  const samples: Sample[] = [];
  for (let nth = 1; nth <= extentOf(options).samples; nth += 1) {
    samples.push(await measureMinute(load, capacity * SHARE, options));
    await keep({ capacity, samples });
    options.progress(`minute ${nth}: ${samples.at(-1)?.memoryMb.toFixed(0)} MB`);
    // The receiver keeps each arrival until then.
    await load.receiver.ask('reset');
  }
  return [...earlier, { capacity, samples }];
}

async function capacityOf({ server, callers, tokens }: Load, options: BenchOptions): Promise<number> {
  const { warmUpMs } = extentOf(options);
  const all = tokens.map((token) => ({ token, perSecond: 0 }));
  const together = (): Promise<readonly Answers[]> =>
    callers.ask('together', { url: server.url, callers: all, ms: warmUpMs, atOnce: 2 });
  await together();
  const accepted = (await together()).reduce((sum, each) => sum + each.accepted, 0);
  if (accepted === 0) throw new Error('No payment was authorised, so there is no capacity to measure with.');
  return accepted / (warmUpMs / 1_000);
}

async function measureMinute(load: Load, perSecond: number, options: BenchOptions): Promise<Sample> {
  const { server, databaseUrl, callers, tokens } = load;
  const wishes = tokens.map((token) => ({ token, perSecond: perSecond / tokens.length }));
  const { sampleMs } = extentOf(options);
  const { answers, ms } = await callers.ask<Apart>('apart', {
    url: server.url,
    callers: wishes,
    ms: sampleMs,
  });
  await whenDelivered(databaseUrl, DELIVERED_MS);
  const durations = answers.flatMap((each) => each.durations);
  return {
    perSecond: durations.length / (ms / 1_000),
    ...(durations.length === 0
      ? { p50: null, p99: null }
      : { p50: percentile(durations, 0.5), p99: percentile(durations, 0.99) }),
    refused: answers.reduce((sum, { refused }) => sum + refused, 0),
    others: answers.flatMap((each) => each.others),
    memoryMb: (await heldMb(server.pid)) ?? NaN,
    atHours: (performance.now() - load.startedMs) / 3_600_000,
    sizes: await sizesOf(databaseUrl),
  };
}
