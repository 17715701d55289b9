import type { App } from '../../../app.ts';
import { isBooksKey } from '../../../connectors/notices/books.ts';
import { isOperationNotice, type Notice } from '../../../connectors/notices/webhook.ts';
import { isBooked, isDifference, type DifferenceFinding } from '../differences/difference.ts';
import { openDifference } from '../differences/open.ts';
import type { ReportSource } from '../elsewhere/made-elsewhere.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { isLineKey } from '../notices/line-key.ts';
import type { StoredWebhook } from '../notices/webhook.ts';
import { isMadeElsewhere, madeElsewhere } from './read-made-elsewhere.ts';

type Ended = {
  readonly transaction: Transaction;
  readonly operation?: Operation | null | undefined;
  readonly finding: string | null;
};

/** Reports the finding of a notice to people if the books of both sides may differ. Commits at most once. */
export async function reportDifference(
  app: App,
  { notice, merchantAccountId, paymentServiceId }: StoredWebhook,
  { transaction, operation, finding }: Ended,
): Promise<void> {
  if (!isOperationNotice(notice) || !isDifference(finding)) return;
  // The booking of the operation listed the finding.
  if (isBooked({ finding })) return;
  if (UNMATCHED.has(finding) && MOVES_NOTHING.has(notice.outcome.kind)) return;
  const { outcome, eventKey, verb } = notice;
  await openDifference(app, {
    ...{ merchantAccountId, paymentServiceId, transactionId: transaction.id, finding },
    source: sourceOf(eventKey),
    ...{ subject: subjectOf(notice), operationId: operation?.id ?? null, kind: verb },
    reported: 'money' in outcome ? outcome.money : null,
    made: bookableOf(notice, finding),
  });
}

/** Names the subject of a finding: the provider's id of the operation, or else of the report. */
export const subjectOf = ({ reference, eventKey }: Notice): string => reference ?? eventKey;

/** Returns the report that a notice stands for. */
export const sourceOf = (eventKey: string): ReportSource => {
  if (isLineKey(eventKey)) return 'settlement';
  return isBooksKey(eventKey) ? 'look_up' : 'notice';
};

/** The findings of reports about none of our operations. A refusal of such an operation changes nothing. */
const UNMATCHED: ReadonlySet<DifferenceFinding> = new Set(['several_operations', 'unknown_operation']);
const MOVES_NOTHING: ReadonlySet<Notice['outcome']['kind']> = new Set(['declined', 'failed', 'accepted']);

/** The findings of reports that were not booked, although each could be booked as it stands. */
const UNBOOKED: ReadonlySet<DifferenceFinding> = new Set([
  ...(['contradicts', 'several_operations', 'unknown_operation', 'undecided'] as const),
]);

const bookableOf = (notice: Notice, finding: DifferenceFinding) =>
  UNBOOKED.has(finding) && isMadeElsewhere(notice) ? madeElsewhere(notice) : null;
