import type { App } from '../../../app.ts';
import { readHold } from '../hold/hold.ts';
import { applyReceived } from '../inbound/loop.ts';
import type { LookUp } from '../named/look-up.ts';
import { LEASE_MS } from '../notices/schedule.ts';
import type { Learned } from '../recovery/inquire.ts';
import { askNow } from '../recovery/sync.ts';
import { sweepPayment } from '../sweep/sweep-payment.ts';
import type { SweptPayment } from '../sweep/store/sweeps.sql.ts';
import { readNamed } from './named-payment.sql.ts';

/**
 * The end of a look-up.
 *
 * - `answered`: the provider told everything about the payment, or has nothing to tell
 * - `silent`: the provider gave no answer
 * - `under_way`: another process asks about an operation, and may have begun before the webhook
 */
export type Asked = 'answered' | 'silent' | 'under_way';

/**
 * Asks about the pending operations of a payment, and then for the books of the payment. No transaction of the database is open
 * meanwhile. The usual settle and the usual loop write what the answers tell.
 */
export async function ask(app: App, lookUp: LookUp): Promise<Asked> {
  const hold = await readHold(app.db);
  const named = await readNamed(app.db, lookUp);
  if (!named) return 'answered';
  const decided = hasPending(named) ? await askForOutcomes(app, named) : 'answered';
  if (decided !== 'answered') return decided;
  const payment = await readNamed(app.db, lookUp);
  if (!payment || isUndecided(payment)) return 'answered';
  const { paymentServiceId } = lookUp;
  const reference = paymentNamed(payment, lookUp.reference);
  const look = await sweepPayment(app, paymentServiceId, payment, { hold, ownsMs: LEASE_MS, reference });
  if (look.kind === 'silent') return 'silent';
  if (look.kind === 'compared') await applyReceived(app, look.told);
  return 'answered';
}

/** Returns the provider's id of the payment that a webhook named. The webhook may have named a capture of the payment. */
const paymentNamed = ({ transaction, operations }: SweptPayment, named: string): string | null =>
  operations.some(({ kind, providerReference }) => kind === 'capture' && providerReference === named)
    ? transaction.paymentServiceTransactionId
    : named;

async function askForOutcomes(app: App, { transaction, operations }: SweptPayment): Promise<Asked> {
  const { merchantAccountId, id } = transaction;
  const heard: Learned['outcome'][] = [];
  const asked = await askNow(app, merchantAccountId, id, (outcome) => void heard.push(outcome));
  if (heard.some((outcome) => typeof outcome === 'object' && outcome.kind === 'unknown')) return 'silent';
  const ids = new Set(asked.map((operation) => operation.id));
  return operations.every((each) => each.status !== 'pending' || ids.has(each.id)) ? 'answered' : 'under_way';
}

const hasPending = ({ operations }: SweptPayment): boolean =>
  operations.some(({ status }) => status === 'pending');

/** True for a payment without books of its own. The look-up of its authorisation has told everything. */
const isUndecided = ({ operations }: SweptPayment): boolean =>
  operations.some(({ kind, status }) => kind === 'authorize' && status === 'pending');
