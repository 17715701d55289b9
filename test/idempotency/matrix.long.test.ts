import { describeRepeats } from './repeats.ts';
import { scenarios } from './scenarios.ts';

describeRepeats(scenarios);
