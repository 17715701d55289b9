import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Finding } from '../../src/cli/doctor/checks.ts';
import { checkReplicas } from '../../src/cli/doctor/replica-checks.ts';
import { migrate } from '../../src/platform/migrate/migrate.ts';
import { query } from '../support/database.ts';
import { startPostgresPair, type PostgresPair } from '../support/postgres-pair.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

// A real standby of Postgres answers queries. The test holds its replay back, and ends it.

let pair: PostgresPair;
let server: TestServer;
beforeAll(async () => {
  pair = await startPostgresPair();
  const url = pair.primaryUrl();
  await migrate(url);
  const nothing = (): Promise<void> => Promise.resolve();
  server = await startTestServer({
    database: { url, drop: nothing, lose: nothing },
    settings: { DATABASE_REPLICA_URL: pair.standbyUrl() },
  });
  await until(() => replayed() !== null, 'the replica');
}, 90_000);
afterAll(async () => {
  await server.stop();
  await pair.close();
}, 30_000);

const replayed = (): bigint | null => server.app.replicas?.states()[0]?.place?.bytes ?? null;

const replay = (act: 'pause' | 'resume'): Promise<unknown> =>
  query(pair.standbyUrl(), `SELECT pg_wal_replay_${act}()`);

/** Examines a server as `paygraph doctor` does for DATABASE_REPLICA_URL. */
async function examine(url: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const config = { ...server.app.config, DATABASE_REPLICA_URL: url };
  await checkReplicas(config, (finding) => void findings.push(finding));
  return findings;
}

/** The data of an answer over a websocket. */
type Shown = {
  readonly buyer: object | null;
  readonly createBuyer: { readonly buyer: { readonly id: string } };
};

/** Creates a buyer. Returns its id, and the position of the change. */
async function createBuyer(): Promise<{ readonly id: string; readonly position: string }> {
  const { body, headers } = await server.graphql<{ createBuyer: { buyer: { id: string } } }>(
    'mutation { createBuyer(input: { displayName: "Ada" }) { buyer { id } } }',
  );
  return { id: body.data?.createBuyer.buyer.id ?? '', position: headers.get('paygraph-position') ?? '' };
}

/** Tells whether a query with this position finds the buyer. */
async function finds(id: string, position?: string): Promise<boolean> {
  const headers: Record<string, string> = position === undefined ? {} : { 'paygraph-position': position };
  const { body } = await server.graphql<{ buyer: object | null }>(
    'query ($id: ID!) { buyer(id: $id) { id shippingDetails { id } } }',
    { id },
    { headers },
  );
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data?.buyer != null;
}

describe('a replica that is held back', () => {
  it('answers only queries that may be older than the latest change', async () => {
    await replay('pause');
    const { id, position } = await createBuyer();

    expect(await finds(id, '0')).toBe(false);
    expect(await finds(id, position)).toBe(true);
    expect(await finds(id)).toBe(true);

    await replay('resume');
    await until(() => finds(id, '0'), 'the replay');
    expect(await finds(id, position)).toBe(true);
  }, 60_000);

  it('is never behind a caller who names the position of the latest change', async () => {
    const found: boolean[] = [];
    for (let nth = 0; nth < 100; nth += 1) {
      if (nth % 20 === 10) await replay('pause');
      if (nth % 20 === 0) await replay('resume');
      const { id, position } = await createBuyer();
      found.push(await finds(id, position));
    }
    await replay('resume');

    expect(found).toEqual(Array(100).fill(true));
  }, 60_000);

  it('takes the position of a message of a websocket, and tells that of a change', async () => {
    const client = server.socket();
    const ask = async (text: string, position?: string) => {
      const extensions = position === undefined ? {} : { extensions: { position } };
      for await (const result of client.iterate<Shown, { readonly position?: string }>({
        query: text,
        ...extensions,
      }))
        return result;
      throw new Error('The socket gave no answer.');
    };
    await replay('pause');
    const created = await ask('mutation { createBuyer(input: { displayName: "Grace" }) { buyer { id } } }');
    const id = created.data?.createBuyer.buyer.id;
    const position = String(created.extensions?.position);
    const read = `{ buyer(id: "${id}") { id } }`;

    expect((await ask(read, '0')).data).toEqual({ buyer: null });
    expect((await ask(read, position)).data).toEqual({ buyer: { id } });
    await replay('resume');
    await client.dispose();
  }, 60_000);
});

describe('a position', () => {
  it('that no answer can have is refused', async () => {
    const { status, body } = await server.graphql(
      '{ __typename }',
      {},
      { headers: { 'paygraph-position': 'x' } },
    );

    expect(status).toBe(400);
    expect(body.errors?.[0]?.message).toBe(
      'The header paygraph-position must be the value of an earlier answer, or 0.',
    );
  });
});

describe('paygraph doctor', () => {
  it('names each replica with its delay, and a server that is none', async () => {
    const both = [pair.standbyUrl(), pair.primaryUrl()].map((url) => new URL(url));
    const [standby, primary] = both.map(({ host }) => host);

    expect(await examine(pair.standbyUrl())).toEqual([
      {
        check: 'replica',
        state: 'ok',
        sentence: expect.stringMatching(`^${standby} follows the primary, .* behind.$`),
      },
    ]);
    expect(await examine(pair.primaryUrl())).toEqual([
      { check: 'replica', state: 'failed', sentence: `${primary}: The server is no replica.` },
    ]);
  });
});

describe('a lost replica', () => {
  it('is left out, and no query fails', async () => {
    const { id } = await createBuyer();
    const answers: boolean[] = [];
    const asking = (async () => {
      while (replayed() !== null) answers.push(await finds(id, '0').catch(() => false));
      answers.push(await finds(id, '0'));
    })();
    await until(() => answers.includes(true), 'the replica');
    const before = answers.length;

    await pair.killStandby();
    await asking;

    expect(answers.slice(before)).toEqual(Array(answers.length - before).fill(true));
    expect(await examine(pair.standbyUrl())).toMatchObject([{ check: 'replica', state: 'failed' }]);
  }, 60_000);
});
