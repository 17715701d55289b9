import { describeInbound, ENDS } from './inbound-ends.ts';

// One end of each operation. inbound.long.test.ts has all of them.
const LATEST = new Map(ENDS.map((end) => [end[0], end]));
describeInbound([...LATEST.values()]);
