import type { App } from '../../../app.ts';
import { readStoredMethod } from '../../../connectors/calls/call-stored-method.ts';
import type { StoredMethodChange } from '../../../connectors/notices/stored-methods.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { findConnectionRows, openCall } from '../../payment-services/index.ts';
import { digestToken } from '../stored/instrument.ts';
import { findTokens, type TokenName } from '../store/reported-tokens.ts';
import { applyReport } from './apply-report.ts';

/** A provider's report about its token, with the provider's time of the change. */
export type MethodReport = {
  readonly token: string;
  readonly at: Date;
  readonly change: StoredMethodChange;
};

/**
 * The effect of a report.
 *
 * - `unknown`: no payment method has the token at this service.
 * - `unanswered`: the report tells no card, and neither did the provider.
 * - `unchanged`: the report was applied before, is older than an applied one, or tells nothing new.
 */
export type ReportResult = 'unknown' | 'unanswered' | 'changed' | 'unchanged';

/**
 * Applies a provider's report to each payment method with the token at this service. Commits once for each payment method.
 * After a crash, a repeat changes the rest. Call outside a transaction, because the report may need the provider's answer.
 */
export async function recordMethodReport(
  app: App,
  { merchantAccountId, paymentServiceId }: Pick<TokenName, 'merchantAccountId' | 'paymentServiceId'>,
  { token, at, change }: MethodReport,
): Promise<ReportResult> {
  const tokenDigest = await digestToken(app.vault, merchantAccountId, token);
  const name = { merchantAccountId, paymentServiceId, tokenDigest };
  const found = await findTokens(app.db, name);
  if (found.length === 0) return 'unknown';
  const active = found.filter(({ status }) => status === 'active');
  if (active.length === 0) return 'unchanged';
  const told = await tellCard(app, name, token, change);
  if (told === null) return 'unanswered';
  let changed = 0;
  for (const { paymentMethodId } of active)
    if (await applyReport(app, { ...name, paymentMethodId }, { at, change: told })) changed += 1;
  if (changed > 0) app.wakeRelay();
  await failpoint('payment_method.reported');
  return changed > 0 ? 'changed' : 'unchanged';
}

/** Returns a change with its card. Asks the provider if the report names none. Null without an answer. */
async function tellCard(
  app: App,
  { merchantAccountId, paymentServiceId }: TokenName,
  token: string,
  change: StoredMethodChange,
): Promise<StoredMethodChange | null> {
  if (change.kind !== 'updated' || change.card !== null) return change;
  const [row] = await findConnectionRows(app, merchantAccountId, [paymentServiceId]);
  if (!row) return null;
  const { connector, context } = await openCall(app, merchantAccountId, row);
  const answer = await readStoredMethod(connector, context, app.log, token);
  if (answer.kind === 'unknown') return null;
  // The report of the end of a token that is gone by now comes by itself.
  return { kind: 'updated', card: answer.kind === 'found' ? answer.card : null };
}
