import { environmentOf } from '../../platform/process/config.ts';
import { queryIn, type Tx } from '../../platform/database/db.ts';
import { prepareFile } from '../../platform/database/statement.ts';
import { FIRST_VERSION, PAYLOAD_VERSION } from './payload-version.ts';
import type { NameOf, Target, TargetKind } from './target-schemas.ts';

/** The fields of an event. The name of a test event is free. */
export type EventFields = {
  readonly merchantAccountId: string;
  readonly id: string;
  /** For example `transaction.captured`. `event-names.ts` lists all names. */
  readonly name: string;
  readonly createdAt: Date;
  readonly production: boolean;
  /** The short form of the record in snake_case, without secrets. */
  readonly target: { readonly type: string; readonly id: string; readonly [field: string]: unknown };
};

/**
 * A change to publish. The transaction that makes the change writes the event. The target has the fields of the published JSON
 * Schema.
 */
export type NewEvent = {
  [Kind in TargetKind]: Omit<EventFields, 'name' | 'target'> & {
    readonly name: NameOf<Kind>;
    readonly target: Target<Kind>;
  };
}[TargetKind];

const insert = prepareFile(import.meta, 'insert-event.sql');

/**
 * Writes an event in the caller's transaction. The event is published only if that transaction commits. The function is here and not in the events module, so that modules below that one can write
 * events too.
 */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<void> {
  await queryIn(tx).query(
    insert({
      account: event.merchantAccountId,
      id: event.id,
      name: event.name,
      targetType: event.target.type,
      targetId: event.target.id,
      payload: envelopeText(event),
      createdAt: event.createdAt,
    }),
  );
}

/**
 * Returns the same writes as common table expressions of a larger statement: one event for each row of `from`.
 *
 * `from` must have the columns merchant_account_id, event_id, event_name, target_type, target_id, payload and
 * created_at. A statement that uses the expressions twice gives them two names.
 */
export const eventExpressions = (from: string, name = 'event', trace = TRACE): string => `
  ${name}_written AS (
    INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at, traceparent)
    SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at, ${trace}
    FROM ${from})`;

/** The place in the running trace, which the connection fills in. A text that nobody prepares has null instead. */
const TRACE = '@traceparent::text';

/** Returns the envelope as text. The text is fixed at the time of the change. */
export const envelopeText = (event: EventFields): string =>
  JSON.stringify({
    version: PAYLOAD_VERSION,
    type: 'event',
    id: event.id,
    name: event.name,
    created_at: event.createdAt.toISOString(),
    merchant_account_id: event.merchantAccountId,
    environment: environmentOf(event),
    target: event.target,
  });

/**
 * Returns the text that consumers get: the fixed envelope with its sequence in front. The function is pure, so the text
 * never differs. Earlier releases wrote no version. Their events get the first one.
 */
export function publishedText(envelope: string, sequence: bigint): string {
  const version = HAS_VERSION.test(envelope) ? '' : `"version":${FIRST_VERSION},`;
  return `{"sequence":${sequence},${version}${envelope.slice(1)}`;
}

/** Postgres writes a space before the colon. */
const HAS_VERSION = /^{"version" ?:/;
