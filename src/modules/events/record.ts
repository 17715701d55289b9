import type { Tx } from '../../platform/db.ts';
import { envelopeText, type NewEvent } from './envelope.ts';
import { insertEvent } from './store/record.ts';

/** Writes an event in the caller's transaction: it is told when that commits, and only then. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  await insertEvent(tx, event, envelopeText(event));
}
