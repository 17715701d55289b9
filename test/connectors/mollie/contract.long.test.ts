import { describeContract } from '../contract.ts';
import { withDefinitions } from '../contract-provider.ts';
import { mollieSubject } from './contract-double.ts';

// The other methods differ from iDEAL by their row alone, which methods.test.ts walks through.
describeContract(withDefinitions(mollieSubject, 'mollie-card', 'mollie-ideal'));
