import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startInbound } from '../../src/modules/transactions/index.ts';
import { VERSION } from '../../src/platform/process/version.ts';
import { relayAll } from '../support/relay-all.ts';
import { until } from '../support/until.ts';
import { startHarness, type Harness } from '../transactions/harness.ts';
import { inboxOf } from '../transactions/inbox.ts';

let harness: Harness;
let text: string;
beforeAll(async () => {
  harness = await startHarness('mock-card', { settings: { PAYGRAPH_METRICS: 'true' } });
  await harness.ask(
    'mutation { createWebhookEndpoint(input: { url: "https://example.com/" }) { userErrors { code } } }',
  );
  const id = await harness.authorized(1299);
  await harness.capture(id);
  harness.provider.failNext('lose_answer');
  await harness.refund(id, { amount: 100 });
  const inbox = await inboxOf(harness);
  const report = { id: 'one', event: 'capture.succeeded', payment_service_transaction_id: 'unknown' };
  await inbox.tell(report);
  await inbox.tell(report);
  await relayAll(harness.server.app);
  await fetch(`${harness.server.url}/nowhere`, { method: 'PROPFIND' });
  const loop = startInbound(harness.server.app);
  await until(async () => (await read()).includes('paygraph_loop_rounds_total{'), 'a round of the loop');
  await loop.stop();
  text = await read();
});
afterAll(() => harness.stop());

const read = async (): Promise<string> => (await fetch(`${harness.server.url}/metrics`)).text();

/** Lists the samples of a metric. */
const samplesOf = (name: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

type Row = { readonly name: string; readonly type: string; readonly labels: readonly string[] };

/** The rows of the table in the operator's page. */
const documented: readonly Row[] = [
  ...readFileSync('src/docs/operate/monitor.md', 'utf8').matchAll(
    /^\| `((?:paygraph|http|db)_\w+)`\s*\| (\w+)\s*\|([^|]*)\|/gm,
  ),
].map(([, name = '', type = '', labels = '']) => ({
  ...{ name, type },
  labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
}));

/** Lists the labels of the samples of a metric, without the bound of a histogram's bucket. */
const labelsOf = ({ name, type }: Row): readonly string[] => {
  const names = type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name];
  return [
    ...new Set(
      names.flatMap((each) =>
        samplesOf(each).map((line) =>
          [...line.matchAll(/[{,](\w+)="/g)]
            .flatMap(([, label = '']) => (label === 'le' ? [] : [label]))
            .join(', '),
        ),
      ),
    ),
  ];
};

describe('the metrics', () => {
  it('are the ones of the table, with the same types and labels', () => {
    const served = [...text.matchAll(/^# TYPE ((?:paygraph|http|db)_\w+) (\w+)$/gm)].map(
      ([, name, type]) => ({
        name,
        type,
      }),
    );
    const byName = (
      rows: readonly { readonly name?: string | undefined; readonly type?: string | undefined }[],
    ) => rows.map(({ name, type }) => `${name} ${type}`).toSorted();

    expect(byName(served)).toEqual(byName(documented));
    for (const row of documented) {
      const found = labelsOf(row);
      if (found.length > 0)
        expect({ name: row.name, labels: found }).toEqual({
          name: row.name,
          labels: [row.labels.join(', ')],
        });
    }
  });

  it('count the outcomes of operations by definition and kind', () => {
    expect(samplesOf('paygraph_payment_operations_total')).toEqual([
      'paygraph_payment_operations_total{definition="mock-card",kind="authorize",outcome="succeeded"} 1',
      'paygraph_payment_operations_total{definition="mock-card",kind="capture",outcome="succeeded"} 1',
      'paygraph_payment_operations_total{definition="mock-card",kind="refund",outcome="unknown"} 1',
    ]);
  });

  it('measure the calls to providers, and count those without an answer', () => {
    expect(samplesOf('paygraph_provider_call_duration_seconds_count')).toEqual(
      expect.arrayContaining(
        ['authorize', 'capture', 'refund'].map(
          (verb) => `paygraph_provider_call_duration_seconds_count{definition="mock-card",verb="${verb}"} 1`,
        ),
      ),
    );
    expect(samplesOf('paygraph_provider_call_failures_total')).toEqual([
      'paygraph_provider_call_failures_total{definition="mock-card",verb="refund",cause="connection"} 1',
    ]);
  });

  it('count the webhooks of providers by verdict', () => {
    expect(samplesOf('paygraph_inbound_webhooks_total')).toEqual([
      'paygraph_inbound_webhooks_total{provider="sandbox",verdict="stored"} 1',
      'paygraph_inbound_webhooks_total{provider="sandbox",verdict="nothing_new"} 1',
    ]);
  });

  it('measure requests by the pattern of their path, and by no path', () => {
    const counts = samplesOf('http_server_request_duration_seconds_count');

    expect(counts.find((line) => line.includes('"/graphql"'))).toMatch(
      /^\w+\{http_request_method="POST",http_route="\/graphql",http_response_status_code="200"\} \d+$/,
    );
    expect(counts.find((line) => line.includes('/webhooks/'))).toContain('http_route="/webhooks/:token"');
    expect(counts.filter((line) => line.includes('nowhere'))).toEqual([]);
    expect(counts).toContain(
      'http_server_request_duration_seconds_count{http_request_method="_OTHER",http_route="",http_response_status_code="404"} 1',
    );
  });

  it('tell the work that waits in the database', () => {
    const value = (sample: string): number => Number(samplesOf(sample)[0]?.split(' ').at(-1));

    expect(samplesOf('paygraph_database_figures')).toEqual(['paygraph_database_figures 1']);
    expect(samplesOf('paygraph_unknown_outcomes')).toEqual([
      'paygraph_unknown_outcomes{next="retry"} 1',
      'paygraph_unknown_outcomes{next="person"} 0',
    ]);
    expect(samplesOf('paygraph_inbound_webhooks_waiting')).toEqual(['paygraph_inbound_webhooks_waiting 1']);
    expect(value('paygraph_webhook_backlog{endpoint_state="active"}')).toBeGreaterThan(1);
    expect(value('paygraph_webhook_backlog_age_seconds{endpoint_state="active"}')).toBeGreaterThan(0);
    expect(samplesOf('paygraph_relay_lag_seconds')).toEqual(['paygraph_relay_lag_seconds 0']);
  });

  it('tell the versions, the connections and the loops', () => {
    expect(samplesOf('paygraph_build_info')).toEqual([
      `paygraph_build_info{version="${VERSION}",node="${process.versions.node}"} 1`,
    ]);
    expect(samplesOf('db_client_connection_max')).toEqual([
      'db_client_connection_max{db_client_connection_pool_name="money"} 8',
      'db_client_connection_max{db_client_connection_pool_name="reads"} 8',
    ]);
    expect(samplesOf('paygraph_loop_failing')).toEqual(['paygraph_loop_failing{loop="inbound"} 0']);
  });
});
