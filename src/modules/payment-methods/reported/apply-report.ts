import type { App } from '../../../app.ts';
import type { StoredMethodChange } from '../../../connectors/notices/stored-methods.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { paysByTokenAlone, statusAfter, type PaymentMethod } from '../model/payment-method.ts';
import { findTokenOf, hasActiveToken, writeReport, type TokenName } from '../store/reported-tokens.ts';
import {
  forgetInstrument,
  lockPaymentMethod,
  replacePaymentMethod,
  replaceTerms,
} from '../store/payment-methods.ts';
import { recordPaymentMethodEvent, recordTokenEvent } from '../stored/event.ts';
import { paymentMethodTerms } from '../stored/terms.ts';
import { replaceCard } from './replace-card.ts';

/** A change with the provider's time. */
export type DatedChange = { readonly at: Date; readonly change: StoredMethodChange };

/**
 * Applies a report to one payment method. Commits once, with the events. False if nothing changes, as in these cases:
 *
 * - The payment method is deleted or `deleting`.
 * - The token is disabled, or is not the payment method's token any more.
 * - A newer report was applied.
 *
 * Two reports of the same moment are applied in the order of their arrival, because some providers tell whole seconds.
 */
export const applyReport = (
  app: App,
  place: TokenName & { readonly paymentMethodId: string },
  { at, change }: DatedChange,
): Promise<boolean> =>
  app.db.transaction(async (tx) => {
    const { merchantAccountId, paymentMethodId, paymentServiceId } = place;
    const method = await lockPaymentMethod(tx, merchantAccountId, paymentMethodId);
    const token = method && (await findTokenOf(tx, place));
    if (!method || method.status === 'deleting' || token?.status !== 'active') return false;
    if (token.reportedAt !== null && at < token.reportedAt) return false;
    const status = change.kind === 'disabled' ? 'disabled' : 'active';
    const updatedAt = app.clock.now();
    await writeReport(tx, { merchantAccountId, id: token.id }, { status, reportedAt: at, updatedAt });
    if (change.kind === 'updated') return await applyCard(app, tx, method, change.card);
    await applyEnd(app, tx, method, paymentServiceId);
    return true;
  });

/** Replaces the card of a locked payment method. */
async function applyCard(
  app: App,
  tx: Tx,
  before: PaymentMethod,
  card: Extract<StoredMethodChange, { readonly kind: 'updated' }>['card'],
): Promise<boolean> {
  const replaced = card && replaceCard(before, card);
  if (!replaced) return false;
  const after = { ...replaced, updatedAt: app.clock.now() };
  await replacePaymentMethod(tx, after);
  await replaceTerms(tx, after, paymentMethodTerms(after));
  if (after.instrumentType !== before.instrumentType) await forgetInstrument(tx, after);
  await recordPaymentMethodEvent(app, tx, 'updated', after);
  return true;
}

/** Records the end of a token. A locked payment method that no token can charge any more fails. */
async function applyEnd(app: App, tx: Tx, before: PaymentMethod, paymentServiceId: string): Promise<void> {
  const { merchantAccountId, id, instrumentType } = before;
  const isLast = paysByTokenAlone(instrumentType) && !(await hasActiveToken(tx, merchantAccountId, id));
  const status = isLast ? statusAfter(before.status, 'disable') : null;
  const after: PaymentMethod =
    status === null || status === 'deleted' ? before : { ...before, status, updatedAt: app.clock.now() };
  await recordTokenEvent(app, tx, 'disabled', { paymentMethod: after, paymentServiceId });
  if (after === before) return;
  await replacePaymentMethod(tx, after);
  await recordPaymentMethodEvent(app, tx, 'updated', after);
}
