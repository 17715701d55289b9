import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../simulation/random.ts';
import { authorization, payloadOf, post, type Order, type Payload, type Verb } from '../support/payments.ts';
import type { ServerProcess } from '../support/process.ts';
import { PATIENCE } from '../support/patience.ts';

/**
 * A change that a client has heard of: the name of its event and the id of its target. The feed must contain the
 * event.
 */
export type Notified = { readonly name: string; readonly targetId: string };

/**
 * One payment as its client saw its steps. Each step started after all answers of the step before, so its events must
 * come later.
 */
export type Story = { readonly transactionId: string; readonly steps: readonly (readonly Notified[])[] };

export type Load = {
  /** Counts the requests so far that broke off or ended with an error. */
  broken(): number;
  /** Counts the final answers so far. */
  answered(): number;
  /** Starts no further payment. Resolves when every client has its final answer, or has waited too long. */
  calm(): Promise<LoadResult>;
};

export type LoadResult = {
  readonly stories: readonly Story[];
  readonly answered: number;
  /** Orders without a final answer, as sentences. */
  readonly unanswered: readonly string[];
};

export type LoadSettings = {
  /** The servers that run at the moment. Some may be dead. */
  readonly servers: () => readonly Pick<ServerProcess, 'url' | 'token'>[];
  readonly paymentServiceId: string;
  readonly random: Random;
};

const CLIENTS = 6;

/** A pause after each payment leaves the machine some capacity for the other parts. */
const REST_MS = 150;

/** The pause between two tries of one order. */
const PAUSE_MS = 100;

/** The time limit for a final answer after the disasters. Recovery takes up to 30 s. */
const PATIENCE_MS = 60_000 * PATIENCE;

/**
 * Starts clients that authorise, capture, refund and void. Each repeats a request under the same key until its final
 * answer.
 */
export function startLoad({ servers, paymentServiceId, random }: LoadSettings): Load {
  const stories: Story[] = [];
  const unanswered: string[] = [];
  let [broken, answered, calmAt] = [0, 0, Infinity];

  const send: Send = async (verb, variables) => {
    const key = random.bytes(16).toString('hex');
    let last = 'none';
    const startedAt = performance.now();
    while (performance.now() < Math.max(startedAt, calmAt) + PATIENCE_MS) {
      last = await attempt(random.pick(servers()), { verb, variables: { ...variables, key } });
      const payload = payloadOf(last);
      if (payload && isFinal(payload)) {
        answered += 1;
        return payload;
      }
      if (!payload) broken += 1;
      await delay(PAUSE_MS);
    }
    throw new Error(`answers: no final one to ${verb} ${key}; the last was ${last}`);
  };
  const client = async (): Promise<void> => {
    while (calmAt === Infinity) {
      await pay({ send, random, paymentServiceId, stories }).catch((error: unknown) =>
        unanswered.push(String(error)),
      );
      await delay(REST_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    broken: () => broken,
    answered: () => answered,
    calm: async () => {
      calmAt = performance.now();
      await Promise.all(clients);
      return { stories, answered, unanswered };
    },
  };
}

type Send = (verb: Verb, variables: Order['variables']) => Promise<Payload>;

type Till = {
  readonly send: Send;
  readonly random: Random;
  readonly paymentServiceId: string;
  readonly stories: Story[];
};

/** Runs one payment of 10 to 99: two captures at once, then two refunds at once, or a void. */
async function pay({ send, random, paymentServiceId, stories }: Till): Promise<void> {
  const amount = random.int(1_000, 9_999);
  const { transaction } = await send('authorize', authorization(amount, paymentServiceId).variables);
  if (transaction?.status !== 'AUTHORIZATION_SUCCEEDED') return;
  const { id } = transaction;
  const steps: (readonly Notified[])[] = [[{ name: 'transaction.authorized', targetId: id }]];
  stories.push({ transactionId: id, steps });
  const operate = async (verb: Verb, input?: object): Promise<readonly Notified[]> =>
    notifiedBy(verb, await send(verb, { id, ...(input && { input }) }), id);
  if (random.chance(0.1)) return void steps.push(await operate('void'));
  const part = (): object => ({ amount: random.int(amount >> 2, amount >> 1) });
  const both = async (
    one: Promise<readonly Notified[]>,
    other: Promise<readonly Notified[]>,
  ): Promise<void> => void steps.push((await Promise.all([one, other])).flat());
  await both(
    operate('capture', { ...part(), final: false }),
    operate('capture', { ...part(), final: false }),
  );
  await both(operate('refund', part()), operate('refund', part()));
}

/** Lists the committed changes in an answer. A refusal has none. */
function notifiedBy(verb: Verb, { operation }: Payload, transactionId: string): readonly Notified[] {
  if (operation?.status !== 'SUCCEEDED') return [];
  if (verb === 'void') return [{ name: 'transaction.voided', targetId: transactionId }];
  return [{ name: `${verb}.succeeded`, targetId: operation.id }];
}

/** Returns the text of the answer, or a stand-in without an answer. */
async function attempt(server: Pick<ServerProcess, 'url' | 'token'>, order: Order): Promise<string> {
  try {
    const { text } = await post(server, order);
    JSON.parse(text);
    return text;
  } catch {
    return '{}';
  }
}

/** Tells whether a repeat can bring nothing new, because the operation has ended or was refused for good. */
function isFinal({ operation, transaction, userErrors }: Payload): boolean {
  if (userErrors.length > 0) return userErrors.every(({ code }) => code !== 'IDEMPOTENCY_IN_PROGRESS');
  return !UNDER_WAY.has((operation ?? transaction)?.status ?? '');
}

/** Statuses of a transaction or a refund, and of a capture or a void. */
const UNDER_WAY: ReadonlySet<string> = new Set(['PROCESSING', 'PENDING']);
