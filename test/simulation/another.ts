import type { App } from '../../src/app.ts';

/**
 * Returns a process of its own. Tasks of one process wait for one another in memory, and the director knows only the waits at
 * points. So the database alone orders the webhooks of a history, as it does between processes.
 */
export const asAnother = (app: App): App => ({ ...app });
