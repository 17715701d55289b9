import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../simulation/random.ts';
import { authorization, payloadOf, post, type Order, type Payload, type Verb } from '../support/payments.ts';
import type { ServerProcess } from '../support/process.ts';

/** A change that a client was told of, and so must be in the feed: an event's name and what it is about. */
export type Told = { readonly name: string; readonly targetId: string };

/**
 * One payment as its client lived through it, step after step: each step was begun when all of the one before was
 * answered, so that its events must come later.
 */
export type Story = { readonly transactionId: string; readonly steps: readonly (readonly Told[])[] };

export type Load = {
  /** How many requests broke off or were answered with an error, so far. */
  broken(): number;
  /** Begins no payment any more; resolves when every client has its last answer, or has waited for it too long. */
  calm(): Promise<LoadResult>;
};

export type LoadResult = {
  readonly stories: readonly Story[];
  readonly answered: number;
  /** Orders to which nobody was told the end, as sentences. */
  readonly unanswered: readonly string[];
};

export type LoadSettings = {
  /** Those that run at the moment; dead ones may be among them. */
  readonly servers: () => readonly Pick<ServerProcess, 'url' | 'token'>[];
  readonly paymentServiceId: string;
  readonly random: Random;
};

const CLIENTS = 6;

/** After each payment, so that the load leaves the machine something for the rest. */
const REST_MS = 150;

/** Between two tries of one order. */
const PAUSE_MS = 100;

/** When the disasters are over, an order that has no final answer by then is a failure: recovery has 30 s. */
const PATIENCE_MS = 60_000;

/** Clients that authorise, capture, refund and void, and ask again under the same key until they are told the end. */
export function startLoad({ servers, paymentServiceId, random }: LoadSettings): Load {
  const stories: Story[] = [];
  const unanswered: string[] = [];
  let [broken, answered, calmAt] = [0, 0, Infinity];

  const send: Send = async (verb, variables) => {
    const key = random.bytes(16).toString('hex');
    let last = 'none';
    const begunAt = performance.now();
    while (performance.now() < Math.max(begunAt, calmAt) + PATIENCE_MS) {
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

/** One payment of 10 to 99 and what becomes of it: two captures at once, then two refunds at once; or a void. */
async function pay({ send, random, paymentServiceId, stories }: Till): Promise<void> {
  const amount = random.int(1_000, 9_999);
  const { transaction } = await send('authorize', authorization(amount, paymentServiceId).variables);
  if (transaction?.status !== 'AUTHORIZATION_SUCCEEDED') return;
  const { id } = transaction;
  const steps: (readonly Told[])[] = [[{ name: 'transaction.authorized', targetId: id }]];
  stories.push({ transactionId: id, steps });
  const operate = async (verb: Verb, input?: object): Promise<readonly Told[]> =>
    toldBy(verb, await send(verb, { id, ...(input && { input }) }), id);
  if (random.chance(0.1)) return void steps.push(await operate('void'));
  const part = (): object => ({ amount: random.int(amount >> 2, amount >> 1) });
  const both = async (one: Promise<readonly Told[]>, other: Promise<readonly Told[]>): Promise<void> =>
    void steps.push((await Promise.all([one, other])).flat());
  await both(
    operate('capture', { ...part(), final: false }),
    operate('capture', { ...part(), final: false }),
  );
  await both(operate('refund', part()), operate('refund', part()));
}

/** What an answer says has been committed; nothing when it is a refusal. */
function toldBy(verb: Verb, { operation }: Payload, transactionId: string): readonly Told[] {
  if (operation?.status !== 'SUCCEEDED') return [];
  if (verb === 'void') return [{ name: 'transaction.voided', targetId: transactionId }];
  return [{ name: `${verb}.succeeded`, targetId: operation.id }];
}

/** The answer's text, or what stands for one when there is none. */
async function attempt(server: Pick<ServerProcess, 'url' | 'token'>, order: Order): Promise<string> {
  try {
    const { text } = await post(server, order);
    JSON.parse(text);
    return text;
  } catch {
    return '{}';
  }
}

/** Whether asking again can bring nothing new: the operation has ended, or was refused for good. */
function isFinal({ operation, transaction, userErrors }: Payload): boolean {
  if (userErrors.length > 0) return userErrors.every(({ code }) => code !== 'IDEMPOTENCY_IN_PROGRESS');
  return !UNDER_WAY.has((operation ?? transaction)?.status ?? '');
}

/** Of a transaction or a refund, and of a capture or a void. */
const UNDER_WAY: ReadonlySet<string> = new Set(['PROCESSING', 'PENDING']);
