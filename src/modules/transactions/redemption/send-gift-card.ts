import type { App } from '../../../app.ts';
import { callGiftCard, type GiftCardCall } from '../../../connectors/calls/call-gift-card.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import { openCall } from '../../payment-services/index.ts';
import type { ConnectionRow } from '../../payment-services/index.ts';
import { providerKeyOf } from '../model/provider-keys.ts';
import type { Operation } from '../model/operation.ts';
import { readRedemptions } from './redemptions.sql.ts';
import { openForRedemption } from './sealed-gift-card.ts';
import type { Redemption } from '../model/redemption.ts';

/**
 * Sends an operation on a gift card to its provider. Each repeat is the same call under the same key. Sends nothing
 * after the lease.
 */
export async function sendToGiftCard(
  app: App,
  { operation, connection }: { readonly operation: Operation; readonly connection: ConnectionRow },
): Promise<Outcome> {
  const { merchantAccountId, leaseUntil } = operation;
  const { connector, context } = await openCall(app, merchantAccountId, connection);
  const redemption = await redemptionOf(app, operation);
  // Another process has settled the redemption, so number and PIN are gone and nothing is left to send.
  if (operation.kind === 'redeem' && redemption.sealedCard === null)
    return { kind: 'unknown', cause: 'timeout' };
  const call = await callFor(app, operation, redemption);
  if (!leaseUntil || app.clock.now() >= leaseUntil) return { kind: 'unknown', cause: 'timeout' };
  return believed(app, operation, await callGiftCard(connector, context, app.log, call));
}

async function callFor(app: App, operation: Operation, redemption: Redemption): Promise<GiftCardCall> {
  const { kind, amount, currency } = operation;
  const key = providerKeyOf(operation);
  const money = { amount, currency };
  if (kind === 'redeem') {
    return { verb: kind, key, money, card: await openForRedemption(app.vault, redemption) };
  }
  const { providerReference: reference } = redemption;
  if (reference === null || (kind !== 'unredeem' && kind !== 'refund'))
    throw new Error(`Operation ${operation.id} lacks what its call needs`);
  return { verb: kind, key, money, reference };
}

/** Reads the redemption that an operation makes, reverses or refunds. */
export async function redemptionOf(
  app: Pick<App, 'db'>,
  { merchantAccountId, transactionId, redemptionId, id }: Operation,
): Promise<Redemption> {
  const all = await readRedemptions(app.db, merchantAccountId, [transactionId]);
  const found = all.find((redemption) => redemption.id === redemptionId);
  if (!found) throw new Error(`Operation ${id} is of no redemption`);
  return found;
}

/**
 * Turns a refused reversal into an unknown outcome. The money is still owed, so the reversal stays pending and is sent
 * again. Operators see it and can resolve it.
 */
function believed(app: App, { id, kind, transactionId }: Operation, outcome: Outcome): Outcome {
  const isRefused = outcome.kind === 'declined' || outcome.kind === 'failed';
  if (outcome.kind !== 'accepted' && !(isRefused && kind === 'unredeem')) return outcome;
  const code = isRefused ? outcome.errorCode : null;
  app.log.error(
    { operationId: id, transactionId, kind, code },
    'A provider of gift cards does not do as it must.',
  );
  return { kind: 'unknown', cause: 'unreadable' };
}
