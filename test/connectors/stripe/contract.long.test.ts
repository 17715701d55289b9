import { describeContract } from '../contract.ts';
import { withDefinitions } from '../contract-provider.ts';
import { stripeSubject } from './contract-double.ts';

// Each way of a buyer, captured at once and later. A test of all methods has the facts that differ.
describeContract(
  withDefinitions(
    stripeSubject,
    ...['stripe-card', 'stripe-sepa', 'stripe-ach', 'stripe-bacs', 'stripe-ideal', 'stripe-klarna'],
    ...['stripe-pix', 'stripe-multibanco'],
  ),
);
