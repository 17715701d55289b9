import { describeContract } from '../contract.ts';
import { withDefinitions } from '../contract-provider.ts';
import { adyenSubject } from './contract-double.ts';

// The methods that pay later, with the lines of the cart.
describeContract(
  withDefinitions(
    adyenSubject,
    ...['adyen-affirm', 'adyen-afterpay', 'adyen-cashappafterpay', 'adyen-clearpay'],
    ...['adyen-klarna', 'adyen-klarnapaynow', 'adyen-klarnapayovertime', 'adyen-scalapay', 'adyen-zippay'],
  ),
);
