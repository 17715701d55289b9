import { DEATHS, describeFraudCrashes } from './fraud-crashes.ts';

// anti-fraud-crash.long.test.ts has every verdict.
describeFraudCrashes(DEATHS.filter(([reported]) => reported === 'reject'));
