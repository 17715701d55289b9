import { describeContract } from '../contract.ts';
import { stripeSubject } from './contract-double.ts';

describeContract(stripeSubject);
