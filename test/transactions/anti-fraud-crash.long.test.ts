import { DEATHS, describeFraudCrashes } from './fraud-crashes.ts';

describeFraudCrashes(DEATHS);
