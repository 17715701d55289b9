import { describeContract } from '../contract.ts';
import { withDefinitions } from '../contract-provider.ts';
import { adyenSubject } from './contract-double.ts';

// One redirect is captured at once, and one later. A test of all methods has the facts that differ.
describeContract(withDefinitions(adyenSubject, 'adyen-card', 'adyen-sepa', 'adyen-ideal', 'adyen-paypal'));
