import { randomUUID } from 'node:crypto';
import { mintFromFile, sandboxKeyFile } from '../../src/cli/run/token.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { authorization, DOCUMENTS, payloadOf } from '../support/payments.ts';
import { startProcess, type ServerProcess } from '../support/process.ts';
import { ACCOUNTS, makeManyRows, ROWS } from '../transactions/many-rows.ts';
import type { BenchOptions, RunBench } from './benches.ts';
import { openConnection, type Connection } from './connection.ts';
import { DEFAULT_BUDGETS, describeServer, inDatabase, WITHOUT_BUDGETS } from './database.ts';
import { randomMoments } from './random-moments.ts';
import { table } from './results.ts';
import { percentile, TAIL, tailOf } from './statistics.ts';

/** Payments a second of the account that is disturbed. */
const PER_SECOND = 20;

const extent = ({ quick }: BenchOptions) => (quick ? { rounds: 1, seconds: 3 } : { rounds: 4, seconds: 20 });

/** Measures payments of one account, alone and beside another account that searches without pause, in turn. */
export const runStarvation: RunBench = (options) =>
  inDatabase('disk', async (base) => {
    const { DATABASE_URL } = base;
    options.progress(`${ROWS} transactions are made`);
    await makeManyRows(DATABASE_URL);
    const sections: string[] = [];
    for (const [name, settings] of Object.entries(MODES)) {
      options.progress(name);
      const server = await startProcess({ ...base, ...settings });
      sections.push(describe(name, await measure(server, options), options));
      await server.stop();
    }
    return [await describeServer(DATABASE_URL), WHAT, ...sections].join('\n\n');
  });

/** The budgets of a new installation, and the connections apart alone. */
const MODES = {
  'With the budgets of a new installation': DEFAULT_BUDGETS,
  'Without budgets': WITHOUT_BUDGETS,
} as const;

const WHAT =
  `Milliseconds of \`createTransaction\` with the built-in provider, ${PER_SECOND} a second at random moments. In turn the ` +
  `account pays alone, and beside an account with ${(ROWS * 0.6).toLocaleString('en')} transactions. There one client ` +
  'sends the ten worst reads in one request, and the next request after each answer. Wanted: a p99 of at most twice the p99 alone, and no failure.';

type Sample = { readonly ms: number[]; failures: number };
type Searches = { answered: number; limited: number; ended: number };
type Measured = { readonly alone: Sample; readonly beside: Sample; readonly searches: Searches };

async function measure(server: ServerProcess, options: BenchOptions): Promise<Measured> {
  const { rounds, seconds } = extent(options);
  const measured: Measured = {
    alone: { ms: [], failures: 0 },
    beside: { ms: [], failures: 0 },
    searches: { answered: 0, limited: 0, ended: 0 },
  };
  await pay(server, seconds, { ms: [], failures: 0 });
  for (let round = 1; round <= rounds; round += 1) {
    options.progress(`round ${round} of ${rounds}`);
    await pay(server, seconds, measured.alone);
    const stop = await search(server, measured.searches);
    await pay(server, seconds, measured.beside);
    await stop();
  }
  return measured;
}

/** Pays for some seconds. Each duration starts at the planned moment. */
async function pay(server: ServerProcess, seconds: number, sample: Sample): Promise<void> {
  const free: Connection[] = [];
  const underWay: Promise<void>[] = [];
  const { variables } = authorization(1_299, null);
  const one = async (dueAt: number): Promise<void> => {
    const connection = free.pop() ?? (await openConnection(server.url, server.token));
    const body = { query: DOCUMENTS.authorize, variables: { ...variables, key: randomUUID() } };
    const text = await connection.ask(JSON.stringify(body)).catch((error: unknown) => String(error));
    sample.ms.push(performance.now() - dueAt);
    if (payloadOf(text)?.transaction?.status !== 'AUTHORIZATION_SUCCEEDED') sample.failures += 1;
    free.push(connection);
  };
  let left = seconds * PER_SECOND;
  for await (const dueAt of randomMoments(PER_SECOND)) {
    if (left === 0) break;
    left -= 1;
    underWay.push(one(dueAt));
  }
  await Promise.all(underWay);
  free.forEach((connection) => connection.close());
}

/** Ten searches in one request, the most that a document may hold, each for a frequent word in another order. */
const WORST = `{ ${[
  ...['AMOUNT_ASC', 'AMOUNT_DESC', 'UPDATED_AT_ASC', 'UPDATED_AT_DESC', 'CREATED_AT_ASC'].flatMap((sort) =>
    ['jane', 'example.com'].map((word) => `sort: ${sort}, filter: { search: "${word}" }`),
  ),
]
  .map((given, index) => `s${index}: transactions(first: 100, ${given}) { nodes { id } }`)
  .join(' ')} }`;

/** Searches without pause until the returned function is called. */
async function search(server: ServerProcess, counts: Searches): Promise<() => Promise<void>> {
  const key = sandboxKeyFile(server.dataFolder);
  const token = await mintFromFile(key, { merchantAccount: ACCOUNTS[0] }, systemClock);
  let stopped = false;
  const searcher = async (): Promise<void> => {
    while (!stopped) {
      const { status, body } = await server.graphql(WORST, {}, { token });
      if (status === 429) counts.limited += 1;
      else if (body.errors) counts.ended += 1;
      else counts.answered += 1;
    }
  };
  const searching = searcher();
  return async () => {
    stopped = true;
    await searching;
  };
}

function describe(name: string, { alone, beside, searches }: Measured, options: BenchOptions): string {
  const { rounds, seconds } = extent(options);
  const ratio = percentile(beside.ms, 0.99) / percentile(alone.ms, 0.99);
  const row = (title: string, { ms, failures }: Sample): string[] => [title, ...tailOf(ms), String(failures)];
  return [
    `**${name}**, ${rounds} rounds of ${seconds} s each. The p99 beside is ${ratio.toFixed(2)} of the p99 alone. ` +
      `${searches.answered} requests with ten searches were answered, ${searches.limited} got 429, and ` +
      `${searches.ended} ended with an error.`,
    table([['payments', 'number', ...TAIL, 'failures'], row('alone', alone), row('beside searches', beside)]),
  ].join('\n\n');
}
