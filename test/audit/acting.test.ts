import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { actingAs, originOf, type Actor } from '../../src/platform/database/acting.ts';
import { queryIn } from '../../src/platform/database/db.ts';
import type { Statement } from '../../src/platform/database/statement.ts';
import { startTracing } from '../../src/platform/tracing/start-tracing.ts';
import { tracedAlone } from '../../src/platform/tracing/trace.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

// Statements of `prepare` would join those of the program.
const probe = ({ other }: { readonly other: string | null }): Statement => ({
  name: null,
  text: 'SELECT $1::text AS actor, $2::text AS other',
  values: [null, other],
  actorAt: 0,
});
const SETTING: Statement = {
  name: null,
  text: `SELECT current_setting('paygraph.actor', true) AS actor`,
  values: [],
};

const REQUEST: Actor = { kind: 'api_key', id: 'key', address: '10.0.0.1' };

it('gives its actor to statements, without a statement more', async () => {
  const [row] = await actingAs(server.app, REQUEST).db.query<{ actor: string; other: string }>(
    probe({ other: 'x' }),
  );
  expect(JSON.parse(row?.actor ?? '')).toEqual(REQUEST);
  expect(row?.other).toBe('x');
});

it('announces its actor inside a transaction, and never beyond', async () => {
  const acting = actingAs(server.app, REQUEST);
  const read = (): Promise<readonly { actor: string | null }[]> =>
    acting.db.transaction((tx) => queryIn(tx).query<{ actor: string | null }>(SETTING));

  expect(JSON.parse((await read())[0]?.actor ?? '')).toEqual(REQUEST);
  const after = await Promise.all(
    Array.from({ length: 20 }, () => server.app.db.query<{ actor: string | null }>(SETTING)),
  );
  expect(after.flat().filter(({ actor }) => actor !== null && actor !== '')).toEqual([]);
});

it('lets the last actor count, and shares the caches of the app', async () => {
  const both = actingAs(actingAs(server.app, REQUEST), { kind: 'system', id: 'work' });
  const [row] = await both.db.query<{ actor: string }>(probe({ other: null }));

  expect(JSON.parse(row?.actor ?? '')).toMatchObject({ kind: 'system', id: 'work' });
  expect([originOf(both), originOf(both.db)]).toEqual([server.app, server.app.db]);
});

it('keeps an address, and nothing else that a proxy names', async () => {
  const acting = actingAs(server.app, { ...REQUEST, address: '"; DROP TABLE' });
  const [row] = await acting.db.query<{ actor: string }>(probe({ other: null }));
  expect(JSON.parse(row?.actor ?? '')).toMatchObject({ address: null });
});

it('names the trace of each change, although the actor stays the same', async () => {
  const end = await startTracing(
    {
      ...server.app.config,
      PAYGRAPH_TRACES_URL: 'http://127.0.0.1:9/v1/traces',
      PAYGRAPH_TRACES_PERCENT: 100,
    },
    'test',
  );
  const { db } = actingAs(server.app, REQUEST);
  const actorIn = async (): Promise<Actor> => {
    const [row] = await db.query<{ actor: string }>(probe({ other: null }));
    return JSON.parse(row?.actor ?? '') as Actor;
  };
  const one = await tracedAlone({ name: 'one' }, actorIn);
  const other = await tracedAlone({ name: 'other' }, actorIn);
  const outside = await actorIn();
  await end();

  expect(one.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(other.traceparent).not.toBe(one.traceparent);
  expect(outside).toEqual(REQUEST);
  expect(await tracedAlone({ name: 'after the end' }, actorIn)).toEqual(REQUEST);
});
