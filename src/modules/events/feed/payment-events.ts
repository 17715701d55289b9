import type { App, Viewer } from '../../../app.ts';
import type { Page } from '../../../kernel/page.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { LineOrWhole } from '../../../platform/database/column-set.ts';
import type { FeedEvent } from './feed-event.ts';
import type { EventTarget } from './store/feed.sql.ts';
import { readEventsOfRecords } from './store/payment-events.sql.ts';
import { findStart, type StartRefusal } from './start.ts';

/** A page of the events of a payment: of its own and of its captures, refunds and disputes. */
export type PaymentEventsRequest = {
  readonly transactionId: string;
  readonly captureIds: readonly string[];
  readonly refundIds: readonly string[];
  readonly disputeIds: readonly string[];
  /** The page starts behind this sequence. Null for the start of the order. */
  readonly after: bigint | null;
  readonly order: 'oldest' | 'newest';
  /** 1 to 100. */
  readonly first: number;
};

/** Returns the sequence of a cursor of the feed. Refuses a cursor as the feed does. */
export async function startOfPaymentEvents(
  app: App,
  { merchantAccountId }: Viewer,
  after: string,
): Promise<Result<bigint | null, StartRefusal>> {
  const start = await findStart(app, merchantAccountId, after);
  return start.ok ? ok(start.value.given) : start;
}

/** Checks the size of a page, by default 1 to 100. */
export const parseFirst = (first: number, max = PAGE_MAX): Result<number, InvalidInput> =>
  first >= 1 && first <= max ? ok(first) : refuse(invalidInput(['first'], `Must be 1 to ${max}.`));

const PAGE_MAX = 100;

/** Finds a page of events with the fields of `columns` for each payment, in the order of the requests. */
export async function findPaymentEvents(
  app: App,
  { merchantAccountId }: Viewer,
  requests: readonly PaymentEventsRequest[],
  columns: LineOrWhole,
): Promise<readonly Page<FeedEvent>[]> {
  const rows = await readEventsOfRecords(
    app.db,
    merchantAccountId,
    requests.map((request) => ({
      ...{
        targets: targetsOf(request),
        after: request.after,
        order: request.order,
        limit: request.first + 1,
      },
    })),
    columns,
  );
  return requests.map(({ first, after }, index) => {
    const found = rows[index] ?? [];
    return {
      items: found.slice(0, first),
      hasNextPage: found.length > first,
      hasPreviousPage: after !== null,
    };
  });
}

const targetsOf = ({
  transactionId,
  captureIds,
  refundIds,
  disputeIds,
}: PaymentEventsRequest): readonly EventTarget[] => [
  { type: 'transaction', id: transactionId },
  ...captureIds.map((id) => ({ type: 'capture', id })),
  ...refundIds.map((id) => ({ type: 'refund', id })),
  ...disputeIds.map((id) => ({ type: 'dispute', id })),
];
