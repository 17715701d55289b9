import { describeContract } from '../contract.ts';
import { paypalSubject } from './contract-double.ts';

describeContract(paypalSubject());
