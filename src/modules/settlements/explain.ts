import type { App, Viewer } from '../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { isUuid } from '../../platform/ids.ts';
import { refuseText } from '../../platform/input/text.ts';
import { recordSettlementEvent } from './event.ts';
import { lockSource } from './fetch/source.sql.ts';
import { readSettlements } from './find.sql.ts';
import type { Settlement } from './settlement.ts';
import { changeSettlement, readSettlement } from './store.ts';

const REASON_MAX = 500;

/**
 * Explains a difference by hand. The entry is not matched again afterwards. Commits once: the explanation, the audit entry and
 * the event. The same reason again changes nothing, and another reason replaces the first. Refuses an entry without a
 * difference as not found.
 *
 * reason: 1 to 500 characters.
 */
export async function explainSettlementDifference(
  app: App,
  { merchantAccountId }: Viewer,
  id: string,
  reason: string,
): Promise<Result<Settlement, InvalidInput | NotFound>> {
  const fault = refuseText(reason, 1, REASON_MAX);
  if (fault) return refuse(invalidInput(['reason'], fault));
  const [found] = isUuid(id) ? await readSettlements(app.db, merchantAccountId, [id]) : [];
  if (!found) return refuse(NO_DIFFERENCE);
  const explained = await app.db.transaction(async (tx) => {
    await lockSource(tx, found);
    const current = await readSettlement(tx, found);
    if (!current || current.difference === null || current.explanation === reason) return current;
    const now = app.clock.now();
    const changed = await changeSettlement(tx, current, {
      ...{ explanation: reason, explainedAt: now, rematchAt: null, tellAt: null, updatedAt: now },
    });
    await recordSettlementEvent(app, tx, 'difference-explained', changed);
    return changed;
  });
  app.wakeRelay();
  return explained?.difference == null ? refuse(NO_DIFFERENCE) : ok(explained);
}

const NO_DIFFERENCE = notFound('settlement difference');
