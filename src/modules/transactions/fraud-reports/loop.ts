import type { App } from '../../../app.ts';
import type { Loop } from '../../../platform/loop.ts';
import { startWorks } from '../../../platform/works.ts';
import { takeDueReports } from './report-due.ts';

/** The most anti-fraud services that one process reports to at once. */
const AT_ONCE = 8;

/** The pause between two rounds of an idle loop. */
const IDLE_MS = 1_000;

/**
 * Starts the loop that reports events of checked payments to their anti-fraud services. Any number of processes may run the
 * loop. A service that does not answer holds back its own reports alone. A stop waits for the reports under way.
 */
export const startFraudReports = (app: App): Loop =>
  startWorks({
    ...{ name: 'fraud reports', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    takeUp: async (underWay, signal) =>
      underWay < AT_ONCE ? await takeDueReports(app, AT_ONCE - underWay, signal) : [],
  });

/** Makes all reports that are due now, and waits for them. */
export async function reportDue(app: App): Promise<void> {
  const due = await takeDueReports(app, AT_ONCE, new AbortController().signal);
  await Promise.all(due.map((report) => report()));
}
