import { describeContract } from '../contract.ts';
import { checkoutSubject } from './contract-double.ts';

// The documentation leaves some ways of Checkout.com open. Both ends of them pass.
describeContract(checkoutSubject());
describeContract(checkoutSubject({ eventNames: 'own_reference', otherBody: 'refused' }));
