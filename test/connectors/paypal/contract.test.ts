import { describeContract } from '../contract.ts';
import { DOUBLE_FAULTS } from '../contract-faults.ts';
import { startContractDouble } from './contract-double.ts';
import { createPayPalDouble } from './double.ts';
import { trusting } from './stand.ts';

const double = createPayPalDouble({ reportLagMs: 0 });

describeContract({
  name: 'its double',
  connector: trusting(double.certificate.root()),
  faults: DOUBLE_FAULTS,
  manner: () => ({
    // A request that PayPal refuses before it works leaves nothing behind.
    forgets: ['fail'],
    keepsPayments: true,
    returns: true,
    keepsRefusals: false,
    // An order does not tell which request renewed its authorisation.
    foundByRepeat: ['reauthorize'],
    // An order that the buyer has not approved holds nothing, and only we complete an order.
    needsNothing: ['cancel'],
  }),
  start: () => startContractDouble(double),
});
