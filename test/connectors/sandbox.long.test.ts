import { describeContract } from './contract.ts';
import { describeCore } from './core-contract.ts';
import { comparing, CORE_WAYS, receiving, repeating } from './sandbox-subject.ts';

describeContract(repeating);
describeContract(comparing);
describeContract(receiving);

describeCore({ subject: receiving, ...CORE_WAYS });
