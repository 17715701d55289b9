import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import type { SealedCredentials } from '../../endpoints/credentials.ts';
import type { SealedSecret } from '../../endpoints/endpoints.sql.ts';
import type { WebhookBodyFormat } from '../../endpoints/webhook-endpoint.ts';

/** A delivery that this process may attempt until the lease ends. */
export type ClaimedDelivery = SealedCredentials & {
  readonly merchantAccountId: string;
  readonly endpointId: string;
  /** The event's position in the log, as the driver returns it. */
  readonly position: string;
  readonly lease: string;
  readonly leaseUntil: Date;
  /** The number of earlier failed attempts. */
  readonly attempt: number;
  /** True for the one delivery that probes a paused endpoint. */
  readonly probe: boolean;
  /** The start of the delivery's window: its creation or last replay. The deadline is 168 hours later. */
  readonly windowStart: Date;
  /** The most simultaneous deliveries of the endpoint at the moment of the claim. */
  readonly window: number;
  readonly url: string;
  readonly bodyFormat: WebhookBodyFormat;
  readonly eventId: string;
  readonly sequence: bigint;
  /** The event's envelope, without its sequence. */
  readonly payload: string;
  /** The place in the trace of the change. Null without a recorded trace. */
  readonly traceparent: string | null;
  /** The moments of the change, and of the relay. */
  readonly writtenAt: Date;
  readonly relayedAt: Date;
  /** Every secret that signs at present. */
  readonly secrets: readonly SealedSecret[];
};

export type Claim = {
  readonly now: Date;
  readonly lease: string;
  readonly leaseUntil: Date;
  /** The leases of earlier claims of this process that still hold deliveries. */
  readonly mine: readonly string[];
  /** The most deliveries to claim, over all endpoints. */
  readonly limit: number;
  /** The positions whose attempts can be stored: from `from`, below `until`. */
  readonly from: bigint;
  readonly until: bigint;
};

/**
 * Leases due deliveries fairly:
 *
 * - No endpoint gets more leases than four for each one of its window. A new endpoint gets one, and so does one after a
 *   failure.
 * - One process at a time holds leases of an endpoint, so that the window holds over all processes.
 * - Every endpoint gets a first delivery before any endpoint gets a second. The endpoint that waited longest comes
 *   first.
 * - A paused endpoint gets none until its pause ends. It then gets one probe: the delivery with the earliest due time,
 *   even in the future.
 * - Endpoints that another process is claiming for are skipped.
 *
 * A dead endpoint with a long queue therefore delays no other endpoint.
 */
export async function claimDeliveries(db: Db, given: Claim): Promise<readonly ClaimedDelivery[]> {
  const rows = await db.query<Omit<ClaimedDelivery, 'sequence'> & { sequence: string }>(claim(given));
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence) }));
}

const claim = prepareFile(import.meta, 'delivery-claim.sql');
