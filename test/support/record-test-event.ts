import { recordEvent, type EventFields, type NewEvent } from '../../src/modules/event-log/index.ts';
import type { Tx } from '../../src/platform/database/db.ts';
import { ownEvents } from './own-events.ts';

/** Writes an event of the tests' own. Its name and its target are free, unlike those of the service's events. */
export async function recordTestEvent(tx: Tx, event: EventFields): Promise<void> {
  ownEvents.add(event.id);
  await recordEvent(tx, event as NewEvent);
}
