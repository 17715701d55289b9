import { describeInbound, ENDS } from './inbound-ends.ts';

describeInbound(ENDS);
