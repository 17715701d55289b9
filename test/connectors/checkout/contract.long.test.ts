import { describeContract } from '../contract.ts';
import { checkoutSubject } from './contract-double.ts';

// The documentation leaves some ways of Checkout.com open. The double has the worst of them by default.
describeContract(checkoutSubject());
describeContract(checkoutSubject({ eventNames: 'own_reference', otherBody: 'refused' }));
describeContract(checkoutSubject({ listsPending: true, searchLagMs: 0 }));
