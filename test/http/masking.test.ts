import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestServer, type GraphqlBody, type TestServer } from '../support/server.ts';

// A missing table is a fault of ours, and the database's message contains internal names.
const QUERY = '{ merchantAccounts { nodes { id } } transactions { nodes { id } } }';

describe.each(['compiled', 'reference'])('a fault of ours, %s executor', (executor) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { PAYGRAPH_EXECUTOR: executor } });
    await server.app.db.query({
      name: 'break',
      text: 'ALTER TABLE transaction RENAME TO broken',
      values: [],
    });
  });
  afterAll(() => server.stop());

  const expectMasked = (body: GraphqlBody<unknown>): string => {
    const requestId = body.errors?.[0]?.extensions['requestId'];
    expect(body.errors).toEqual([
      {
        message: `Something went wrong here. Ask the operator about request ${String(requestId)}.`,
        locations: [{ line: 1, column: 37 }],
        path: ['transactions'],
        extensions: { code: 'INTERNAL_SERVER_ERROR', requestId },
      },
    ]);
    return String(requestId);
  };

  it('is shown with a request id, and logged once with its cause', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { status, headers, body } = await server.graphql(QUERY);
      const requestId = expectMasked(body);

      expect([status, headers.get('x-request-id')]).toEqual([200, requestId]);
      const lines = server
        .logs()
        .split('\n')
        .filter((line) => line.startsWith('{"level":50') && line.includes(requestId));
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        level: 50,
        ...{ 'paygraph.request.id': requestId, 'exception.type': expect.any(String) },
        ...{
          'exception.message': expect.any(String),
          'exception.stacktrace': expect.stringContaining('at '),
        },
      });
    }
  });

  it('is shown the same over a websocket', async () => {
    const client = server.socket();
    for await (const result of client.iterate({ query: QUERY })) {
      const requestId = expectMasked(result as GraphqlBody<unknown>);
      const faults = server.logs().match(/^\{"level":50.*$/gm) ?? [];
      expect(faults.filter((line) => line.includes(requestId))).toHaveLength(1);
    }
    await client.dispose();
  });
});
