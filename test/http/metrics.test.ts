import { describe, expect, it } from '@jest/globals';
import { startTestServer } from '../support/server.ts';
import { connectRawSocket } from './raw-socket.ts';

describe('metrics', () => {
  it('count operations by kind and outcome, over HTTP and websockets', async () => {
    const server = await startTestServer({ settings: { PAYGRAPH_METRICS: 'true' } });
    await server.graphql('{ __typename }');
    await server.graphql('{ nope }');
    await server.graphql('mutation { voidTransaction(id: "1") { userErrors { code } } }');
    const socket = await connectRawSocket(server.url, server.token);
    socket.send({ id: '1', type: 'subscribe', payload: { query: '{ __typename }' } });
    await socket.next();
    socket.send({ id: '2', type: 'subscribe', payload: { query: 'subscription { events { id } }' } });
    let lines: string[] = [];
    while (!lines.some((line) => line.includes('kind="subscription",transport'))) {
      const response = await fetch(`${server.url}/metrics`);
      lines = (await response.text()).split('\n');
    }
    socket.close();
    await server.stop();

    expect(lines.filter((line) => /^paygraph_(operations_total|websockets)/.test(line))).toEqual([
      'paygraph_operations_total{kind="query",transport="http",outcome="answered"} 1',
      'paygraph_operations_total{kind="invalid",transport="http",outcome="failed"} 1',
      'paygraph_operations_total{kind="mutation",transport="http",outcome="answered"} 1',
      'paygraph_operations_total{kind="query",transport="websocket",outcome="answered"} 1',
      'paygraph_operations_total{kind="subscription",transport="websocket",outcome="answered"} 1',
      'paygraph_websockets 1',
    ]);
    expect(lines).toContain('paygraph_operation_duration_seconds_count{kind="query"} 2');
  });

  it('are served only when configured', async () => {
    const server = await startTestServer();
    const response = await fetch(`${server.url}/metrics`);
    await server.stop();

    expect(response.status).toBe(404);
  });
});
