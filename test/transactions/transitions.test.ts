import { describeTransitions } from './status-table.ts';

// transitions.long.test.ts has every terminal state.
describeTransitions(['authorization_voided']);
