import { randomUUID } from 'node:crypto';
import { authorization, DOCUMENTS, payloadOf } from '../support/payments.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import type { BenchOptions, RunBench } from './benches.ts';
import { openConnection, type Connection } from './connection.ts';
import { describeServer, inDatabase, type BenchSettings } from './database.ts';
import { orderOf } from './money-rates.ts';
import { cpuMs } from './processor-time.ts';
import { table } from './results.ts';
import { median, spread } from './statistics.ts';

const MODES = ['compiled', 'reference'] as const;
type Mode = (typeof MODES)[number];

/** Concurrent requests at one server. */
const PARALLEL = 8;

/** Returns the number of measured rounds, and of requests of each kind in a round. A first round warms up. */
const extent = ({ quick }: BenchOptions) =>
  quick ? { rounds: 1, requests: 40 } : { rounds: 5, requests: 200 };

/** Measures the server's processor time for one request, with compiled operations and with graphql-js alone. */
export const runExecutor: RunBench = (options) =>
  inDatabase('disk', async (settings) => {
    const servers = await Promise.all(MODES.map((mode) => startSide(mode, settings)));
    try {
      const rows = await measure(servers, await seed(servers), options);
      return `${await describeServer(settings.DATABASE_URL)}\n\n${describe(rows, options)}`;
    } finally {
      await Promise.all(servers.map((side) => side.stop()));
    }
  });

type Side = {
  readonly mode: Mode;
  readonly server: ServerProcess;
  readonly lanes: readonly Connection[];
  stop(): Promise<void>;
};

/** Starts a server without background work, which would count as time of the requests. */
async function startSide(mode: Mode, settings: BenchSettings): Promise<Side> {
  const server = await startProcess({ ...settings, PAYGRAPH_EXECUTOR: mode, PAYGRAPH_ROLES: 'api' });
  const lanes = await Promise.all(
    Array.from({ length: PARALLEL }, () => openConnection(server.url, server.token)),
  );
  return {
    mode,
    server,
    lanes,
    stop: async () => {
      lanes.forEach((lane) => lane.close());
      await server.stop();
    },
  };
}

type Body = { readonly query: string; readonly variables: object };

/** A kind of request. Money requests get the id of an untouched transaction. */
type Kind = { readonly name: string; readonly body: (id: string) => Body; readonly money?: boolean };

const LIST = `query ($first: Int!) { transactions(first: $first) { nodes {
  id status amount currency country capturedAmount refundedAmount externalIdentifier method createdAt } } }`;
const NESTED = `query ($first: Int!) { transactions(first: $first) { nodes { id status amount
  captures { id status amount createdAt } attempts { id status createdAt } paymentService { id displayName }
  events(first: 10) { nodes { id name createdAt } } } } }`;
const ONE = `query ($id: ID!) { transaction(id: $id) {
  id status amount currency country capturedAmount refundedAmount externalIdentifier method createdAt } }`;

const KINDS: readonly Kind[] = [
  { name: 'list of 50, ten fields', body: () => ({ query: LIST, variables: { first: 50 } }) },
  { name: 'list of 20, four nested lists', body: () => ({ query: NESTED, variables: { first: 20 } }) },
  { name: 'one by id, ten fields', body: (id) => ({ query: ONE, variables: { id } }) },
  { name: 'create', money: true, body: () => moneyBody(authorization(1_299, null)) },
  { name: 'capture', money: true, body: (id) => moneyBody(orderOf('capture', id)) },
];

const moneyBody = ({ verb, variables }: ReturnType<typeof orderOf>): Body => ({
  query: DOCUMENTS[verb],
  variables: { ...variables, key: randomUUID() },
});

/** Creates the transactions in the lists. */
async function seed([first]: readonly Side[]): Promise<string> {
  if (!first) throw new Error('No server runs.');
  const [create, capture] = KINDS.slice(-2) as [Kind, Kind];
  const ids = await runAll(
    first,
    create,
    Array.from({ length: 60 }, () => ''),
  );
  await runAll(first, capture, ids);
  return ids[0] ?? '';
}

/** Sends a request for each id. Returns the ids of the transactions that money requests created or changed. */
async function runAll({ lanes }: Side, kind: Kind, ids: readonly string[]): Promise<string[]> {
  const queue = ids.entries();
  const done: string[] = [];
  const work = lanes.map(async (lane) => {
    for (const [index, id] of queue) {
      const text = await lane.ask(JSON.stringify(kind.body(id)));
      const transactionId = kind.money ? payloadOf(text)?.transaction?.id : id;
      if (text.startsWith('{"errors"') || transactionId === undefined) throw new Error(text);
      done[index] = transactionId;
    }
  });
  await Promise.all(work);
  return done;
}

type Row = { readonly kind: Kind; readonly cpu: Readonly<Record<Mode, number[]>> };

async function measure(servers: readonly Side[], known: string, options: BenchOptions): Promise<Row[]> {
  const { rounds, requests } = extent(options);
  const rows = KINDS.map((kind): Row => ({ kind, cpu: { compiled: [], reference: [] } }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of round % 2 === 0 ? servers : servers.toReversed()) {
      const figures = await measureRound(side, known, requests);
      if (round > 0) rows.forEach(({ cpu }, index) => cpu[side.mode].push(figures[index] ?? NaN));
      const which = round === 0 ? 'warm-up' : `round ${round} of ${rounds}`;
      options.progress(`${which}, ${side.mode}: ${figures.map((each) => each.toFixed(2)).join(', ')} ms`);
    }
  }
  return rows;
}

/** Sends requests of each kind. Returns the server's processor time for one of each. */
async function measureRound(side: Side, known: string, requests: number): Promise<number[]> {
  const figures: number[] = [];
  let ids = Array.from({ length: requests }, () => known);
  for (const kind of KINDS) {
    const before = await cpuMs(side.server.pid);
    ids = await runAll(side, kind, ids);
    const after = await cpuMs(side.server.pid);
    if (before === null || after === null) throw new Error('This system tells no processor time.');
    figures.push((after - before) / requests);
  }
  return figures;
}

function describe(rows: readonly Row[], options: BenchOptions): string {
  const { rounds, requests } = extent(options);
  const lines = rows.map(({ kind, cpu: { compiled, reference } }) => [
    kind.name,
    spread(compiled, 2),
    spread(reference, 2),
    (median(reference) / median(compiled)).toFixed(2),
  ]);
  return (
    `Milliseconds of processor time of the server for one request over HTTP, ${PARALLEL} at once. One server compiles ` +
    `operations, the other runs all through graphql-js. ${rounds} rounds of ${requests} requests of each kind by turns ` +
    'after one to warm up; median (lowest to highest).\n\n' +
    table([['', 'compiled', 'graphql-js', 'graphql-js / compiled'], ...lines])
  );
}
