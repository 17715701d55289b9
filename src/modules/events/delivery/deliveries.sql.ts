import type { PageRequest } from '../../../kernel/page.ts';
import { columnSet, type LineOrWhole } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import { byKey, hidden, prepare, prepareFile, type Statement } from '../../../platform/database/statement.ts';
import type { DeliveryState, WebhookAttempt, WebhookDelivery } from './delivery.ts';
import { entryOf, eventAt } from '../feed/store/event-at.sql.ts';
import { EVENT_COLUMNS, forEachSet } from '../feed/store/event-columns.sql.ts';
import { toFeedEvent, type FeedEvent } from '../feed/feed-event.ts';

/** A page of an endpoint's deliveries in any of the states. No state: all states. */
export type DeliveryPage = {
  readonly page: PageRequest;
  readonly states: readonly DeliveryState[];
  /** The columns of the events. */
  readonly columns: LineOrWhole;
};

/** Returns deliveries of each endpoint with one additional row: newest event first, or backward oldest first. */
export async function readDeliveries(
  db: Db,
  merchantAccountId: string,
  endpointIds: readonly string[],
  page: DeliveryPage,
): Promise<readonly WebhookDelivery[]> {
  return await readRows(db, deliveriesStatement(merchantAccountId, endpointIds, page), page.columns);
}

/**
 * Returns the statement of a page. Each endpoint and state is one index scan that stops when the page is full, however
 * rare the state is.
 */
export function deliveriesStatement(
  merchantAccountId: string,
  endpointIds: readonly string[],
  { page: { direction, limit, cursor }, states, columns }: DeliveryPage,
): Statement {
  const [behind, order, end] =
    direction === 'forward' ? (['<', 'DESC', '9223372036854775807'] as const) : (['>', 'ASC', '-1'] as const);
  const walk = (where: string): string => `
    SELECT d.* FROM delivery d
    WHERE d.endpoint_id = wanted.id AND d.merchant_account_id = $1 ${where} AND d.position ${behind}
      CASE WHEN $3::uuid IS NULL THEN ${end}
        ELSE (SELECT position FROM event JOIN feed_entry USING (merchant_account_id, position) WHERE merchant_account_id = $1 AND id = $3::uuid) END
    ORDER BY d.position ${order} LIMIT $4`;
  // Each state is a literal, so that the planner knows its frequency. A parameter would hide the frequency.
  const walks =
    states.length === 0
      ? walk('')
      : `SELECT * FROM (${states.map((state) => `(${walk(`AND d.state = '${STORED[state]}'`)})`).join(' UNION ALL ')}) one
         ORDER BY position ${order} LIMIT $4`;
  return {
    name: null,
    text: `SELECT ${columnsWith(EVENT_COLUMNS[columns].select('e'))} FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (${walks}) d
           ${eventAt('d.position', '$1')} ${entryOf('$1')}
           ORDER BY d.endpoint_id, d.position ${order}`,
    values: [merchantAccountId, endpointIds, cursor, limit + 1],
  };
}

const FIELDS = [
  ...(['webhookEndpointId', 'position', 'state', 'attemptCount'] as const),
  ...(['nextAt', 'expiresAt', 'createdAt', 'settledAt'] as const),
];

const DELIVERY_COLUMNS = columnSet<Row>('whole', FIELDS, FIELDS, {
  webhookEndpointId: (d) => `${d}.endpoint_id`,
  attemptCount: (d) => `${d}.attempts_made`,
  expiresAt: (d) => `${d}.deadline`,
});

/** Returns the columns of a delivery `d`, and those of its event behind them. */
const columnsWith = (ofEvent: string): string => `${DELIVERY_COLUMNS.select('d')}, ${ofEvent}`;

const ofEvents = forEachSet((columns, set) =>
  prepare(
    `deliveries_of_events_${set}`,
    `SELECT ${columnsWith(columns)} FROM unnest(${hidden('@ids::uuid[]')}) AS wanted (id)
     CROSS JOIN LATERAL (
       SELECT * FROM event WHERE merchant_account_id = @account AND ${byKey('id', 'wanted.id')} OFFSET 0) e
     ${entryOf('@account')}
     CROSS JOIN LATERAL (
       SELECT * FROM (
         SELECT * FROM delivery WHERE position = e.position AND merchant_account_id = @account OFFSET 0) of_one
       ORDER BY endpoint_id DESC LIMIT 50) d
     ORDER BY e.position, d.endpoint_id DESC`,
  ),
);

/** Returns at most 50 deliveries of each event, newest endpoint first. The ids must be UUIDs. */
export async function readDeliveriesOfEvents(
  db: Db,
  account: string,
  ids: readonly string[],
  columns: LineOrWhole,
): Promise<readonly WebhookDelivery[]> {
  return await readRows(db, ofEvents[columns]({ account, ids }), columns);
}

/** Runs a statement that selects deliveries with these columns of their events. */
async function readRows(
  db: Db,
  statement: Statement,
  columns: LineOrWhole,
): Promise<readonly WebhookDelivery[]> {
  const rows = await db.query<readonly unknown[]>({ ...statement, asArrays: true });
  return rows.map((values) => {
    const event = toFeedEvent(EVENT_COLUMNS[columns].read(values, FIELDS.length));
    return toDelivery(DELIVERY_COLUMNS.read(values), event);
  });
}

const attemptsOf = prepareFile(import.meta, 'attempts-of-deliveries.sql');

/** Returns the latest 50 attempts of each delivery, newest first. */
export async function readAttempts(
  db: Db,
  account: string,
  deliveries: readonly WebhookDelivery[],
): Promise<readonly (readonly WebhookAttempt[])[]> {
  const rows = await db.query<WebhookAttempt & { readonly ordinal: number }>(
    attemptsOf({
      account,
      endpoints: deliveries.map(({ webhookEndpointId }) => webhookEndpointId),
      positions: deliveries.map(({ position }) => position),
    }),
  );
  const byDelivery = Map.groupBy(rows, ({ ordinal }) => ordinal);
  return deliveries.map((_, index) => byDelivery.get(index + 1) ?? []);
}

type Row = Pick<
  WebhookDelivery,
  'webhookEndpointId' | 'position' | 'attemptCount' | 'expiresAt' | 'createdAt' | 'settledAt'
> & {
  /** A CHECK constraint allows no other value. */
  readonly state: (typeof STORED)[DeliveryState];
  readonly nextAt: Date;
};

/** The stored value of each state. */
const STORED = {
  pending: 'pending',
  in_flight: 'leased',
  delivered: 'done',
  expired: 'expired',
  cancelled: 'cancelled',
} as const;

const SHOWN: Readonly<Record<Row['state'], DeliveryState>> = {
  pending: 'pending',
  leased: 'in_flight',
  done: 'delivered',
  expired: 'expired',
  cancelled: 'cancelled',
};

function toDelivery({ state, nextAt, ...row }: Row, event: FeedEvent): WebhookDelivery {
  return {
    ...row,
    id: `${row.webhookEndpointId}:${event.id}`,
    state: SHOWN[state],
    nextAttemptAt: state === 'pending' ? nextAt : null,
    event,
  };
}
