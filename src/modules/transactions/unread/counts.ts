import type { App } from '../../../app.ts';
import type { UnreadReason, WebhookRefusal } from '../../../connectors/notices/webhook.ts';
import { oncePer } from '../../../platform/database/once-per.ts';
import type { Db } from '../../../platform/database/db.ts';

/** The reasons that the metric counts: those of unread parts and refused bodies, and unsigned items beside signed ones. */
export type CountedReason = UnreadReason | WebhookRefusal | 'unsigned_item';

/** A count of this process since its start. */
export type UnreadCount = {
  readonly provider: string;
  readonly reason: CountedReason;
  readonly count: number;
};

const countsOf: (db: Db) => Map<string, UnreadCount> = oncePer(() => new Map<string, UnreadCount>());

/** Counts parts of webhooks that this process did not read. The provider is the id of a connector. */
export function countUnread(
  { db }: Pick<App, 'db'>,
  provider: string,
  reason: CountedReason,
  more = 1,
): void {
  const counts = countsOf(db);
  const name = `${provider} ${reason}`;
  counts.set(name, { provider, reason, count: (counts.get(name)?.count ?? 0) + more });
}

/** Lists the counts of this process, by provider and reason. */
export const unreadCounts = ({ db }: Pick<App, 'db'>): readonly UnreadCount[] => [...countsOf(db).values()];
