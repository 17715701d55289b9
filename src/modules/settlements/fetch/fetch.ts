import type { App } from '../../../app.ts';
import { fetchSettlements } from '../../../connectors/calls/call-settlements.ts';
import type { Unknown } from '../../../connectors/interface/outcome.ts';
import type { SettlementAnswer } from '../../../connectors/notices/settlements.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { findConnectionRows, openCall } from '../../payment-services/index.ts';
import { recordPage } from './record.ts';
import { afterFailure, type SettlementSource } from './source.ts';
import { bookedBy, changeSource, lockSource } from './source.sql.ts';

/**
 * Fetches the next page of a claimed source and stores it. Commits once, after the call. A failure keeps the cursor, and the
 * next fetch comes after a pause. Never throws for a failure of the provider.
 */
export async function fetchPage(app: App, source: SettlementSource): Promise<void> {
  const answer = await call(app, source).catch((error: unknown) => failedCall(app, source, error));
  await failpoint('settlements.fetched');
  if (answer.kind !== 'page') return fail(app, source, answer);
  const stored = await recordPage(app, source, answer);
  await failpoint('settlements.recorded');
  if (stored && answer.entries.length > 0) app.wakeRelay();
}

async function call(app: App, source: SettlementSource): Promise<SettlementAnswer> {
  const { merchantAccountId, paymentServiceId, cursor, createdAt } = source;
  const [connection] = await findConnectionRows(app, merchantAccountId, [paymentServiceId]);
  if (!connection) throw new Error('The payment service of a source is gone');
  const { connector, context } = await openCall(app, merchantAccountId, connection);
  return fetchSettlements(connector, context, app.log, {
    ...{ cursor, since: createdAt, now: app.clock.now(), booked: bookedBy(app.db, source) },
  });
}

/** Logs a fetch that failed before the call. It counts as a provider without an answer. */
function failedCall(
  app: App,
  { merchantAccountId, paymentServiceId }: SettlementSource,
  error: unknown,
): Unknown {
  // The message may hold a secret, so the log names the kind of error only.
  const name = error instanceof Error ? error.name : typeof error;
  app.log.error({ merchantAccountId, paymentServiceId, error: name }, 'Settlements could not be fetched.');
  return { kind: 'unknown', cause: 'connection' };
}

async function fail(
  app: App,
  source: SettlementSource,
  answer: Exclude<SettlementAnswer, { readonly kind: 'page' }>,
): Promise<void> {
  await app.db.transaction(async (tx) => {
    const current = await lockSource(tx, source);
    // Another process has passed the place meanwhile.
    if (!current || current.cursor !== source.cursor) return;
    await changeSource(tx, source, afterFailure(app.clock.now(), current, answer));
  });
}
