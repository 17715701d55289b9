import { describeContract } from '../contract.ts';
import { braintreeSubject } from './contract-double.ts';

describeContract(braintreeSubject());
