import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FakeProvider } from '../support/fake-provider.ts';
import { authorization, payloadOf, post, type Order, type Payload } from '../support/payments.ts';
import type { ServerProcess } from '../support/process.ts';
import { PATIENCE } from '../support/patience.ts';

/** An order with its key, and the text of its final answer. */
export type Answered = { readonly order: Order; readonly text: string };

/** Clients that pay. Each repeats a request under the same key until the final answer. */
export type Storm = {
  /** Counts the final answers so far. */
  answered(): number;
  /** Counts the answers after this time that repeat no earlier answer. */
  workedSince(atMs: number): number;
  /** Counts the accepted requests so far that broke off or ended with an error. */
  broken(): number;
  /** Counts the injected faults at the provider so far. */
  faults(): ReadonlyMap<Fault, number>;
  /** Counts the open requests at a server. */
  underWay(server: ServerProcess): number;
  /**
   * Starts no new payment and injects no further faults. Resolves when every client has its final answer, or has
   * waited too long.
   */
  calm(): Promise<Calm>;
};

export type Calm = {
  readonly answered: readonly Answered[];
  /** Orders without a final answer, as sentences. */
  readonly unanswered: readonly string[];
};

export type StormSettings = {
  /** The servers that run at the moment, possibly dead ones among them. */
  readonly servers: () => readonly ServerProcess[];
  readonly provider: FakeProvider;
  readonly paymentServiceId: string;
  readonly clients?: number;
  /** The most operations that begin in a second. */
  readonly perSecond?: number;
  /** The life of one payment. By default all verbs take part, some at once. */
  readonly pay?: (send: Send, paymentServiceId: string) => Promise<void>;
  /** False leaves the provider without faults. */
  readonly faulty?: boolean;
};

/** Sends an order under a new key until the final answer, and returns the answer. */
export type Send = (order: Order) => Promise<Payload>;

const CLIENTS = 8;

/** One of so many calls to the provider has a fault. */
const FAULT_EVERY = 20;
const FAULTS: readonly Fault[] = ['lose_request', 'lose_answer', 'error_after_work'];

/** The time limit for a final answer. Recovery takes up to 30 s, and the client may start late. */
const PATIENCE_MS = 60_000 * PATIENCE;
const PAUSE_MS = 100;

export function startStorm({
  servers,
  provider,
  paymentServiceId,
  clients: count = CLIENTS,
  perSecond = Infinity,
  pay = payAnyWay,
  faulty = true,
}: StormSettings): Storm {
  const answered: Answered[] = [];
  const workedAt: number[] = [];
  const turn = startTurns(perSecond);
  const faults = new Map<Fault, number>();
  const underWay = new Map<ServerProcess, number>();
  let broken = 0;
  let calm = false;

  const ask = async (server: ServerProcess, order: Order): Promise<string> => {
    underWay.set(server, (underWay.get(server) ?? 0) + 1);
    const text = await attempt(server, order);
    underWay.set(server, (underWay.get(server) ?? 0) - 1);
    return text;
  };

  const send: Send = async ({ verb, variables }) => {
    const order = { verb, variables: { ...variables, key: randomUUID() } };
    await turn();
    if (faulty && !calm && randomInt(FAULT_EVERY) === 0) {
      const fault = oneOf(FAULTS);
      provider.failNext(fault);
      faults.set(fault, (faults.get(fault) ?? 0) + 1);
    }
    let last = NOBODY;
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline;) {
      const text = await ask(oneOf(servers()), order);
      const payload = text === NOBODY ? null : payloadOf(text);
      if (payload && isFinal(payload)) {
        answered.push({ order, text });
        if (!payload.replayed) workedAt.push(performance.now());
        return payload;
      }
      if (!payload && text !== NOBODY) broken += 1;
      last = text;
      await delay(PAUSE_MS);
    }
    throw new Error(`answers: no final one to ${verb} ${order.variables.key}; the last was ${last}`);
  };

  const unanswered: string[] = [];
  const clients = Array.from({ length: count }, async () => {
    while (!calm) await pay(send, paymentServiceId).catch((error: unknown) => unanswered.push(String(error)));
  });
  return {
    answered: () => answered.length,
    workedSince: (atMs) => workedAt.length - 1 - workedAt.findLastIndex((at) => at <= atMs),
    broken: () => broken,
    faults: () => faults,
    underWay: (server) => underWay.get(server) ?? 0,
    calm: async () => {
      calm = true;
      provider.behave();
      await Promise.all(clients);
      return { answered, unanswered };
    },
  };
}

/** Returns a function that waits for the caller's turn. Turns that nobody takes are lost. */
function startTurns(perSecond: number): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    const now = performance.now();
    const at = Math.max(now, nextAt);
    nextAt = at + 1_000 / perSecond;
    if (at > now) await delay(at - now);
  };
}

/** Runs one payment of 10 to 99 through its life. Authorises, captures, refunds and voids. */
async function payAnyWay(send: Send, paymentServiceId: string): Promise<void> {
  const amount = randomInt(1_000, 10_000);
  const { transaction } = await send(authorization(amount, paymentServiceId));
  if (transaction?.status !== 'AUTHORIZATION_SUCCEEDED') return;
  const { id } = transaction;
  const some = (): number => randomInt(amount >> 2, amount + 1);
  const release = (): Promise<Payload> => send({ verb: 'void', variables: { id } });
  const capture = (final: boolean): Promise<Payload> =>
    send({ verb: 'capture', variables: { id, input: { amount: some(), final } } });
  const refund = (): Promise<Payload> =>
    send({ verb: 'refund', variables: { id, input: { amount: some() } } });
  const dice = randomInt(10);
  if (dice === 0) await release();
  else if (dice < 3) await Promise.all([release(), capture(true)]);
  else {
    await Promise.all([capture(dice < 6), capture(false)]);
    await Promise.all([refund(), refund()]);
  }
}

/** Stands for an answer when no server listens. */
const NOBODY = 'connection refused';

/** Returns the text of the answer, or the reason for its absence. */
async function attempt(server: ServerProcess, order: Order): Promise<string> {
  try {
    return (await post(server, order)).text;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    return cause?.code === 'ECONNREFUSED' ? NOBODY : '{}';
  }
}

/** Tells whether a repeat can bring nothing new, because the operation has ended or was refused for good. */
function isFinal({ operation, transaction, userErrors }: Payload): boolean {
  if (userErrors.length > 0) return userErrors.every(({ code }) => code !== 'IDEMPOTENCY_IN_PROGRESS');
  return !UNDER_WAY.has((operation ?? transaction)?.status ?? '');
}

/** Statuses of a transaction or a refund, and of a capture or a void. */
const UNDER_WAY: ReadonlySet<string> = new Set(['PROCESSING', 'PENDING']);

const oneOf = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)] as Value;

/**
 * Repeats every successful order at each server. Returns the number of repeats, with a sentence for each wrong
 * answer. An answer is right when it equals the first one byte for byte, except for the replay flag.
 */
export async function replayAll(
  answered: readonly Answered[],
  servers: readonly ServerProcess[],
): Promise<{ readonly count: number; readonly differences: readonly string[] }> {
  const successes = answered.filter(({ text }) => payloadOf(text)?.userErrors.length === 0);
  const differences: string[] = [];
  const queue = successes.values();
  const workers = Array.from({ length: CLIENTS }, async () => {
    for (const { order, text } of queue) {
      const expected = text.replace('"replayed":false', '"replayed":true');
      for (const server of servers) {
        const again = await post(server, order);
        if (again.text !== expected) differences.push(`replay: first ${expected}, then ${again.text}`);
      }
    }
  });
  await Promise.all(workers);
  return { count: successes.length * servers.length, differences };
}
