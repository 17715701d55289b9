import { stripe } from '../../../src/connectors/stripe/index.ts';
import type { HttpClient } from '../../../src/platform/http/http-client.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import type { Fault } from '../contract-provider.ts';
import { describeDisputeContract } from '../dispute-contract.ts';
import { sentTo } from '../double-server.ts';
import { describeSettlementContract } from '../settlement-contract.ts';
import { payAt } from './contract-double.ts';
import { createStripeDouble } from './double.ts';

const startDouble = async () => {
  let nowMs = Date.now();
  const double = createStripeDouble({ now: () => new Date(nowMs) });
  const server = await double.listen();
  return {
    double,
    now: () => new Date(nowMs),
    pass: (ms: number) => void (nowMs += ms),
    credentials: { secret_key: double.secretKey, webhook_secret: double.webhookSecret },
    via: (http: HttpClient) => sentTo(http, server.url),
    failNext: (...faults: readonly Fault[]) => double.failNext(doubleFaults(faults)),
    release: () => double.release(),
    close: () => server.close(),
  };
};

describeDisputeContract({
  connector: stripe,
  // An answer with the dispute means that Stripe has taken the response, whatever the dispute says of itself.
  faults: DOUBLE_FAULTS.filter((fault) => !/^(other_|unknown_word)/.test(fault)),
  start: async () => {
    const started = await startDouble();
    const { double } = started;
    return {
      ...started,
      dispute: async (state) => {
        const dispute = double.hands.dispute(await payAt(double));
        if (state === 'closed') double.hands.decideDispute(dispute, 'won');
        return dispute;
      },
      failNext: (...faults) => double.failNext(doubleFaults(faults), /^POST \/v1\/disputes\//),
    };
  },
});

describeSettlementContract({
  connector: stripe,
  captures: 201,
  overlaps: false,
  faults: DOUBLE_FAULTS.filter((fault) => !/^(other_|unknown_word)/.test(fault)),
  start: async () => {
    const started = await startDouble();
    return {
      ...started,
      since: started.now(),
      settle: async (captures) => {
        for (let count = 0; count < captures; count += 1) await payAt(started.double);
        started.pass(60_000);
      },
      refuseNext: () => started.double.failNext(['forbidden']),
    };
  },
});
