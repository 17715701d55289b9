import { describeContract } from '../contract.ts';
import { withDefinitions } from '../contract-provider.ts';
import { adyenSubject } from './contract-double.ts';

// Each way of a buyer, captured at once and later. A test of all methods has the facts that differ.
describeContract(
  withDefinitions(
    adyenSubject,
    ...['adyen-card', 'adyen-sepa', 'adyen-ideal', 'adyen-paypal'],
    ...['adyen-paynow', 'adyen-multibanco', 'adyen-mbway'],
  ),
);
