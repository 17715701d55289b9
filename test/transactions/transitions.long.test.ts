import { describeTransitions, TERMINAL } from './status-table.ts';

describeTransitions(TERMINAL);
