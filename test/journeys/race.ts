import { randomBytes, randomInt } from 'node:crypto';
import { EMPTY_ACCOUNT, readAccounts, type Account } from '../support/books.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { judge, readEntries, waitForRest } from '../support/judge.ts';
import {
  authorization,
  createService,
  payloadOf,
  post,
  startPair,
  type Order,
  type Verb,
} from '../support/payments.ts';
import type { ServerProcess } from '../support/process.ts';

export type RaceKind = 'refund' | 'capture' | 'capture_or_void';

/** The end of a race: the winner, and the state of the payment in the books of every party. */
export type Finish = {
  readonly won: readonly Verb[];
  readonly refused: number;
  /** Answers that are neither a win nor a refusal. */
  readonly odd: readonly string[];
  readonly columns: Account;
  readonly ledger: Account;
  readonly books: Account;
};

/** Two server processes on one database, and their common provider. */
export type Arena = {
  run(kind: RaceKind): Promise<Finish>;
  /** Lists every difference between the provider's books and the database, after all races. */
  verdict(): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** The number of concurrent requests, each for 60 on a payment of 100. */
const RUNNERS = 50;

const finish = (won: Verb, account: Partial<Account>): Finish => {
  const everywhere = { ...EMPTY_ACCOUNT, authorized: 100, ...account };
  const accounts = { columns: everywhere, ledger: everywhere, books: everywhere };
  return { won: [won], refused: RUNNERS - 1, odd: [], ...accounts };
};

/** The only valid ends of a race. */
export const FINISHES: Readonly<Record<RaceKind, readonly Finish[]>> = {
  refund: [finish('refund', { captured: 100, refunded: 60 })],
  capture: [finish('capture', { captured: 60 })],
  capture_or_void: [finish('capture', { captured: 60 }), finish('void', { voids: 1 })],
};

/** The provider's longest delay, and the deadline of the servers for its answer. */
export const PROVIDER = { thinksMs: 30, deadlineMs: 10_000 } as const;

export async function openArena(databaseUrl: string): Promise<Arena> {
  // A short delay keeps reservations open while other requests arrive.
  const provider = await startFakeProvider({ delayMs: () => Math.random() * PROVIDER.thinksMs });
  const servers = await startPair({
    DATABASE_URL: databaseUrl,
    PAYGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
    PAYGRAPH_PROVIDER_DEADLINE_MS: String(PROVIDER.deadlineMs),
  });
  const course = { servers, provider, databaseUrl, service: await createService(servers[0], provider.url) };
  return {
    run: (kind) => run(course, kind),
    verdict: async () => {
      await waitForRest(databaseUrl, 60_000);
      return judge(provider, databaseUrl);
    },
    close: async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await provider.close();
    },
  };
}

type Course = {
  readonly servers: readonly [ServerProcess, ServerProcess];
  readonly provider: FakeProvider;
  readonly databaseUrl: string;
  readonly service: string;
};

async function run(course: Course, kind: RaceKind): Promise<Finish> {
  const { servers, provider, databaseUrl } = course;
  const id = await prepare(course, kind);
  const ahead = randomInt(2);
  const orders = Array.from({ length: RUNNERS }, (_, index) =>
    orderOf(verbOf(kind, index + ahead), id, index),
  );
  const answers = await Promise.all(
    orders.map(async (order, index) => {
      // Each server gets two neighbours in turn, so that both verbs run at both servers.
      const { text } = await post(servers[index % 4 < 2 ? 0 : 1], order);
      return { verb: order.verb, end: endOf(text), text };
    }),
  );
  const { reference, columns, ledger } = await readEntries(databaseUrl, id);
  return {
    won: answers.filter(({ end }) => end === 'won').map(({ verb }) => verb),
    refused: answers.filter(({ end }) => end === 'refused').length,
    odd: answers.filter(({ end }) => end === 'odd').map(({ text }) => text),
    columns,
    ledger,
    books: readAccounts(provider).get(reference ?? '') ?? EMPTY_ACCOUNT,
  };
}

/** Prepares a payment of 100: authorised, and captured if the race is about refunds. */
async function prepare({ servers: [server], service }: Course, kind: RaceKind): Promise<string> {
  const made = payloadOf((await post(server, authorization(100, service))).text);
  const id = made?.transaction?.id ?? '';
  if (kind === 'refund') await post(server, { verb: 'capture', variables: { id, input: {} } });
  return id;
}

const verbOf = (kind: RaceKind, index: number): Verb =>
  kind !== 'capture_or_void' ? kind : index % 2 === 0 ? 'capture' : 'void';

function orderOf(verb: Verb, id: string, index: number): Order {
  if (verb === 'void') return { verb, variables: { id } };
  // A final capture leaves nothing to others. A capture that is not final leaves 40.
  const last = verb === 'capture' ? { final: index % 8 < 4 } : {};
  return { verb, variables: { id, input: { amount: 60, ...last } } };
}

function endOf(text: string): 'won' | 'refused' | 'odd' {
  const payload = payloadOf(text);
  if (payload?.operation?.status === 'SUCCEEDED') return 'won';
  return payload?.operation === null && payload.userErrors.length === 1 ? 'refused' : 'odd';
}
