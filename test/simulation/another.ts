import type { App } from '../../src/app.ts';
import type { Stage } from './stage.ts';

/**
 * Returns a process of its own. Tasks of one process wait for one another in memory, and the director knows only the waits at
 * points. So the database alone orders the webhooks of a history, as it does between processes.
 */
export const asAnother = (app: App): App => ({ ...app });

const asking = new WeakMap<Stage, Map<string, App>>();

/**
 * Returns a process with bounds of its own for look-ups. They are unused at the beginning of a history, and after the death of the process.
 */
export function withOwnBounds(stage: Stage, app: App, process: number): App {
  const known = asking.get(stage) ?? new Map<string, App>();
  asking.set(stage, known);
  const name = `${process} ${stage.deaths[process] ?? 0}`;
  const found = known.get(name) ?? { ...app, db: { ...app.db } };
  known.set(name, found);
  return found;
}
