import { describeCore } from './core-contract.ts';
import { CORE_WAYS, comparing } from './sandbox-subject.ts';

// sandbox.long.test.ts has a provider that only receives.
describeCore({ subject: comparing, ...CORE_WAYS });
