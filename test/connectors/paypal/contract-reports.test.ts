import { createAccessTokenStore } from '../../../src/connectors/calls/access-token-store.ts';
import { paypal } from '../../../src/connectors/paypal/index.ts';
import type { HttpClient } from '../../../src/platform/http/http-client.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import type { Fault } from '../contract-provider.ts';
import { describeDisputeContract } from '../dispute-contract.ts';
import { sentTo } from '../double-server.ts';
import { describeSettlementContract } from '../settlement-contract.ts';
import { openBench } from './double-client.ts';

const DAY_MS = 86_400_000;

/** The answers about disputes and the pages of movements have no word or amount of one payment. */
const FAULTS = DOUBLE_FAULTS.filter((fault) => !/^(other_|unknown_word)/.test(fault));

/** Starts a double. Its faults are for the requests that match. */
const startDouble = async (target: RegExp) => {
  const bench = openBench();
  const { double } = bench;
  const server = await double.listen();
  const credentials = { client_id: double.clientId, client_secret: double.clientSecret };
  const tokens = createAccessTokenStore({ now: bench.now, sleep: () => Promise.resolve() });
  return {
    ...{ bench, credentials, accessTokens: tokens.of('service', credentials) },
    via: (http: HttpClient) => sentTo(http, server.url),
    failNext: (...faults: readonly Fault[]) => double.failNext(doubleFaults(faults), target),
    release: () => double.release(),
    close: () => server.close(),
  };
};

describeDisputeContract({
  connector: paypal,
  faults: FAULTS,
  start: async () => {
    const started = await startDouble(/^POST \/v1\/customer\/disputes\//);
    const { capture, double } = started.bench;
    return {
      ...started,
      dispute: async (state) => {
        const { id } = await capture();
        const dispute = double.hands.dispute(id);
        if (state === 'closed') double.hands.decideDispute(dispute, 'won');
        return dispute;
      },
    };
  },
});

describeSettlementContract({
  connector: paypal,
  // A page has 500 movements at most.
  captures: 501,
  overlaps: true,
  faults: FAULTS,
  start: async () => {
    const started = await startDouble(/^GET \/v1\/reporting\//);
    const { bench } = started;
    const since = bench.now();
    // The search covers 31 days at most. Movements at the end of one stretch of time are in the next one, too.
    bench.pass(31 * DAY_MS);
    return {
      ...started,
      ...{ since, now: bench.now },
      settle: async (captures) => {
        await bench.login();
        for (let count = 0; count < captures; count += 1) await bench.capture();
        bench.pass(DAY_MS);
      },
      refuseNext: () => bench.double.failNext(['forbidden'], /^GET \/v1\/reporting\//),
    };
  },
});
