import { checkout } from '../../../src/connectors/checkout/index.ts';
import type { HttpClient } from '../../../src/platform/http/http-client.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import { describeDisputeContract } from '../dispute-contract.ts';
import { sentTo } from '../double-server.ts';
import { credentialsOf } from './contract-double.ts';
import { saleAt } from './double-client.ts';
import { createCheckoutDouble } from './double.ts';

describeDisputeContract({
  connector: checkout,
  // The last answer of a response has no body, so nothing in it can be wrong.
  faults: DOUBLE_FAULTS.filter((fault) => !/^(other_|unknown_word|truncated)/.test(fault)),
  start: async () => {
    const double = createCheckoutDouble();
    const server = await double.listen();
    return {
      credentials: credentialsOf(double),
      via: (http: HttpClient) => sentTo(http, server.url),
      dispute: async (state) => {
        const dispute = double.hands.dispute(await saleAt(double));
        if (state === 'closed') double.hands.decideDispute(dispute, 'won');
        return dispute;
      },
      failNext: (...faults) => double.failNext(doubleFaults(faults), /^POST \/disputes\//),
      release: () => double.release(),
      close: () => server.close(),
    };
  },
});
