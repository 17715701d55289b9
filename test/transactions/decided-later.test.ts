import { describeLaterDecisions, WAYS } from './later-decisions.ts';

// decided-later.long.test.ts has both ways to learn of a decision.
describeLaterDecisions(WAYS.slice(0, 1));
