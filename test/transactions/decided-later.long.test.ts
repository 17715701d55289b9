import { describeLaterDecisions, WAYS } from './later-decisions.ts';

describeLaterDecisions(WAYS);
