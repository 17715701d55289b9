import { describeCrashes, KINDS } from './crashes.ts';

describeCrashes(KINDS);
