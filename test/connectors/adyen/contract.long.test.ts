import { describeContract } from '../contract.ts';
import { adyenSubject } from './contract-double.ts';

describeContract(adyenSubject);
