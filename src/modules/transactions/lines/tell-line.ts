import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { rematchSettlementsOf, type SettlementLine } from '../../settlements/index.ts';
import { resolveLineDifferences } from '../differences/differences.sql.ts';
import { openDifference } from '../differences/open.ts';
import { makeOperationsDue } from '../claim/leases.sql.ts';
import { lineKeyOf } from '../notices/line-key.ts';
import { nextMatchAt } from '../notices/schedule.ts';
import { storeNotice } from '../notices/store-notice.ts';
import { decideLine, type LineVerdict } from './line-rules.ts';
import { readSettledPayment, type SettledPayment } from './payment.sql.ts';

/**
 * Tells the payment of an entry about the entry. Returns the moment to tell the payment again, or null when nothing is left.
 *
 * - A sure entry is stored like a webhook of the provider, which the usual loop applies. An entry is stored once.
 * - An unsure entry becomes a difference, listed once. The difference ends when the entry fits.
 * - While an operation under way may be the one, its provider is asked first.
 *
 * Commits at most once for each of these. After a crash, the entry is told again, and nothing is done twice.
 */
export async function tellLine(app: App, line: SettlementLine): Promise<Date | null> {
  const payment = await readSettledPayment(app.db, line);
  const now = app.clock.now();
  const verdict = decideLine(line, payment, now);
  await failpoint('lines.decided');
  await act(app, line, { payment, verdict, now });
  await failpoint('lines.told');
  return verdict.kind === 'waits' ? nextMatchAt(now, line.createdAt) : null;
}

type Decided = { readonly payment: SettledPayment; readonly verdict: LineVerdict; readonly now: Date };

async function act(app: App, line: SettlementLine, { payment, verdict, now }: Decided): Promise<void> {
  const { merchantAccountId, paymentServiceId } = line;
  switch (verdict.kind) {
    case 'fits':
      return resolveLineDifferences(app.db, { ...line, subjects: subjectsOf(line), now });
    case 'known':
      return rematchSettlementsOf(app.db, line, now);
    case 'waits':
      // A sale captures by its authorisation.
      for (const kind of verdict.asks === 'capture' ? (['capture', 'authorize'] as const) : [verdict.asks])
        await makeOperationsDue(app.db, payment.transaction, kind, now);
      return;
    case 'notice': {
      const { notice } = verdict;
      await storeNotice(app, { merchantAccountId, paymentServiceId, notice, receivedAt: now }, now);
      return;
    }
    case 'unsure':
      return list(app, line, verdict);
  }
}

/** Lists an entry for a person. A difference about its operation ends with the booking of the operation, so the two have one name. */
function list(
  app: App,
  line: SettlementLine,
  { finding, of, money, made }: Extract<LineVerdict, { readonly kind: 'unsure' }>,
): Promise<void> {
  const { merchantAccountId, paymentServiceId, transactionId, kind, operationReference } = line;
  const subject = (kind === 'reversal' ? null : operationReference) ?? lineKeyOf(line.reference);
  return openDifference(app, {
    ...{ merchantAccountId, paymentServiceId, transactionId, finding, source: 'settlement', subject },
    ...{ operationId: null, kind: of, reported: money, made },
  });
}

const subjectsOf = ({ reference, operationReference }: SettlementLine): readonly string[] => [
  lineKeyOf(reference),
  ...(operationReference === null ? [] : [operationReference]),
];
