import { timeOf, type DisputeNotice } from '../../door.ts';
import type { EventOf } from '../event.ts';
import type { Dispute } from './dispute-answers.ts';
import { readName } from '../names.ts';
import { reportOf } from './dispute-report.ts';

/** Reads an event about a dispute. A word that no rule names gives no notice, and neither does a dispute of several payments. */
export function disputeNotices({ id, occurredAt, resource }: EventOf<Dispute>): readonly DisputeNotice[] {
  const dispute = reportOf(resource);
  const [disputed, ...others] = resource.disputed_transactions;
  const reference = disputed?.seller_transaction_id ?? null;
  const key = (readName(disputed?.invoice_number) ?? readName(disputed?.custom))?.key ?? null;
  if (dispute === null || others.length > 0 || (key === null && reference === null)) return [];
  // The event's own time would put a late report before the state that it shows.
  const at = timeOf(resource.update_time) ?? occurredAt;
  return [{ eventKey: id, occurredAt: at, key, reference, paymentReference: null, dispute }];
}
