import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { adyen } from '../../../src/connectors/adyen/index.ts';
import { fetchSettlements } from '../../../src/connectors/calls/call-settlements.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { noTokens } from '../../support/no-tokens.ts';
import { sentTo, type DoubleServer } from '../double-server.ts';
import { payAt } from './contract-double.ts';
import { createAdyenDouble, CREDENTIALS } from './double.ts';

const double = createAdyenDouble();
const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
const [definition] = adyen.definitions;
let server: DoubleServer;

beforeAll(async () => {
  server = await double.listen();
});
afterAll(async () => {
  http.close();
  await server.close();
});

const fetchBatch = async (batch: number) => {
  if (!definition) throw new Error('Adyen has no definition');
  const page = await fetchSettlements(
    adyen,
    {
      ...{ definition, credentials: CREDENTIALS, environment: 'sandbox', deadlineMs: 60_000 },
      ...{ http: sentTo(http, server.url), accessTokens: noTokens() },
    },
    pino({ level: 'silent' }),
    { cursor: `${batch}:0`, since: new Date(0), now: new Date(), booked: () => Promise.resolve([]) },
  );
  if (page.kind !== 'page') throw new Error(page.kind);
  return page;
};

describe('a batch of Adyen', () => {
  it('of a bulk has charges with key and fee', async () => {
    payAt(double);
    const { batch } = double.closeBatch({
      types: { Settled: 'SettledBulk' },
      fees: { markup: 5, interchange: 7 },
    });

    const [charge, payout] = (await fetchBatch(batch)).entries;

    expect(charge).toMatchObject({ kind: 'charge', providerKind: 'SettledBulk', line: 1, fee: 12 });
    expect(charge?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(payout).toMatchObject({ kind: 'payout', net: -(charge?.net ?? 0) });
  });

  it('with lines that cannot be read keeps all other lines', async () => {
    payAt(double);
    const { batch } = double.closeBatch({ oddities: ['new_type', 'amount', 'short', 'quote'] });

    const page = await fetchBatch(batch);

    expect(page.entries.map(({ kind, line }) => [kind, line])).toEqual([
      ...[
        ['charge', 1],
        ['unknown', 2],
        ['payout', 6],
      ],
      ...[
        ['unreadable', 3],
        ['unreadable', 4],
        ['unreadable', 5],
      ],
    ]);
    // The batch adds up, because the new type tells its money.
    expect(page.entries.reduce((sum, { net }) => sum + net, 0)).toBe(0);
    expect(page.cursor).toBe(`${batch + 1}:0`);
  });
});
