import { sandbox } from '../../src/connectors/sandbox/index.ts';
import { FAULTS, ownFaults, startFakeProvider } from '../support/fake-provider.ts';
import { describeDisputeContract } from './dispute-contract.ts';

describeDisputeContract({
  connector: sandbox,
  faults: FAULTS.filter((fault) => !/other_money|not_found/.test(fault)),
  start: async () => {
    const provider = await startFakeProvider();
    return {
      credentials: { merchant_id: 'test', api_key: 'a secret of the test', api_url: provider.url },
      dispute: (state) => Promise.resolve(state === 'open' ? 'dp_1' : 'dp_1_refused'),
      failNext: (...faults) => provider.failNext(...ownFaults(faults)),
      keys: () => provider.disputeCalls.map(({ idempotency_key }) => idempotency_key),
      release: () => provider.release(),
      close: () => provider.close(),
    };
  },
});
