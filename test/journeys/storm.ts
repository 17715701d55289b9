import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FakeProvider } from '../support/fake-provider.ts';
import { authorization, payloadOf, post, type Order, type Payload } from '../support/payments.ts';
import type { ServerProcess } from '../support/process.ts';

/** An order with its key, and the text of its final answer. */
export type Answered = { readonly order: Order; readonly text: string };

/** Clients that authorise, capture, refund and void without a pause, and ask again under the same key until told the end. */
export type Storm = {
  /** How many requests were taken and broke off, or were answered with an error, so far. */
  broken(): number;
  /** What was made to go wrong at the provider so far, how often. */
  faults(): ReadonlyMap<Fault, number>;
  /** How many requests a server has not answered yet. */
  underWay(server: ServerProcess): number;
  /**
   * Begins no payment any more, and makes nothing go wrong with the rest of those under way; resolves when every client has its
   * last answer, or has waited for it too long.
   */
  calm(): Promise<Calm>;
};

export type Calm = {
  readonly answered: readonly Answered[];
  /** Orders to which nobody was told the end, as sentences. */
  readonly unanswered: readonly string[];
};

export type StormSettings = {
  /** Those that run at the moment, dead ones among them. */
  readonly servers: () => readonly ServerProcess[];
  readonly provider: FakeProvider;
  readonly paymentServiceId: string;
};

const CLIENTS = 8;

/** One call in so many of the provider's goes wrong. */
const FAULT_EVERY = 20;
const FAULTS: readonly Fault[] = ['lose_request', 'lose_answer', 'error_after_work'];

/** An order that has no final answer by then is a failure: recovery has 30 s, and its client may begin late. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

export function startStorm(settings: StormSettings): Storm {
  const answered: Answered[] = [];
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
    if (!calm && randomInt(FAULT_EVERY) === 0) {
      const fault = oneOf(FAULTS);
      settings.provider.failNext(fault);
      faults.set(fault, (faults.get(fault) ?? 0) + 1);
    }
    let last = NOBODY;
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline;) {
      const text = await ask(oneOf(settings.servers()), order);
      const payload = text === NOBODY ? null : payloadOf(text);
      if (payload && isFinal(payload)) {
        answered.push({ order, text });
        return payload;
      }
      if (!payload && text !== NOBODY) broken += 1;
      last = text;
      await delay(PAUSE_MS);
    }
    throw new Error(`answers: no final one to ${verb} ${order.variables.key}; the last was ${last}`);
  };

  const unanswered: string[] = [];
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!calm)
      await pay(send, settings.paymentServiceId).catch((error: unknown) => unanswered.push(String(error)));
  });
  return {
    broken: () => broken,
    faults: () => faults,
    underWay: (server) => underWay.get(server) ?? 0,
    calm: async () => {
      calm = true;
      settings.provider.behave();
      await Promise.all(clients);
      return { answered, unanswered };
    },
  };
}

type Send = (order: Order) => Promise<Payload>;

/** One payment of 10 to 99 and what becomes of it. */
async function pay(send: Send, paymentServiceId: string): Promise<void> {
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

/** What stands for an answer when nobody listens. */
const NOBODY = 'connection refused';

/** The answer's text, or what there is instead of it. */
async function attempt(server: ServerProcess, order: Order): Promise<string> {
  try {
    return (await post(server, order)).text;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: string } };
    return cause?.code === 'ECONNREFUSED' ? NOBODY : '{}';
  }
}

/** Whether asking again can bring nothing new: the operation has ended, or was refused for good. */
function isFinal({ operation, transaction, userErrors }: Payload): boolean {
  if (userErrors.length > 0) return userErrors.every(({ code }) => code !== 'IDEMPOTENCY_IN_PROGRESS');
  return !UNDER_WAY.has((operation ?? transaction)?.status ?? '');
}

/** Of a transaction or a refund, and of a capture or a void. */
const UNDER_WAY: ReadonlySet<string> = new Set(['PROCESSING', 'PENDING']);

const oneOf = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)] as Value;

/**
 * Asks every order of a success again, at each server, and answers how often, with a sentence for each answer that is not,
 * byte for byte, the first one but for the word that it is a replay.
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
