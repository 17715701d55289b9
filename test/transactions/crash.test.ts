import { describeCrashes } from './crashes.ts';

// crash.long.test.ts has every operation.
describeCrashes(['authorize', 'capture']);
