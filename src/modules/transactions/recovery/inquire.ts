import type { App } from '../../../app.ts';
import { lookUp } from '../../../connectors/call.ts';
import type { Outcome, Recovery } from '../../../connectors/connector.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { callTo, isOurs, send, type Claim } from '../engine/send.ts';
import type { Operation } from '../model/operation.ts';
import { leaseMsOf, leaseOf } from '../engine/schedule.ts';
import { openMeans } from '../instrument/sealed-card.ts';
import { completeAt } from '../authorize/buyer-approval/complete-at.ts';
import type { Claimed } from '../follow-up/claim.sql.ts';
import { noteSent } from '../engine/leases.sql.ts';

/** What is done to learn the outcome of an operation. */
export type Way = 'look_up' | 'send_again' | 'wait';

/** What the way depends on, beside the class and the operation. */
export type Asked = {
  /** The moment up to which is looked: of a look-up that was answered, when it began. */
  readonly now: Date;
  /** Whether the provider has an operation of this key; null while it was not asked. */
  readonly knows: boolean | null;
  /** For how long after it was noted as sent an operation may really be sent: whoever does it owns it for so long. */
  readonly leaseMs: number;
};

/**
 * How to learn the outcome of a pending operation, by the class of its provider. What the provider took on is looked up,
 * never sent again.
 */
export function wayToLearn(
  recovery: Recovery,
  { acceptedAt, createdAt, sentAt }: Pick<Operation, 'acceptedAt' | 'createdAt' | 'sentAt'>,
  { now, knows, leaseMs }: Asked,
): Way {
  if (acceptedAt) return knows === null ? 'look_up' : 'wait';
  switch (recovery.kind) {
    case 'keys':
      // A provider that has forgotten the key, from when it first saw it, would do the work again.
      if (now.getTime() - createdAt.getTime() + leaseMs < recovery.windowMs) return 'send_again';
      return knows === null ? 'look_up' : 'wait';
    case 'lookup':
      if (knows === null) return 'look_up';
      return !knows && now >= arrivedBy(recovery, sentAt, leaseMs) ? 'send_again' : 'wait';
    case 'none':
      return 'wait';
  }
}

/** It may be on its way to the provider until the quiescence has passed. */
const arrivedBy = ({ quiescenceMs }: ByReference, sentAt: Date, leaseMs: number): Date =>
  new Date(sentAt.getTime() + quiescenceMs + leaseMs);

type ByReference = Extract<Recovery, { readonly kind: 'lookup' }>;

/** From when on what the provider did not know is sent again if it still does not; null: never. */
const sendableFrom = (
  recovery: Recovery,
  { acceptedAt, sentAt }: Pick<Operation, 'acceptedAt' | 'sentAt'>,
  leaseMs: number,
): Date | null => (recovery.kind === 'lookup' && !acceptedAt ? arrivedBy(recovery, sentAt, leaseMs) : null);

/** What came of asking. The operation is as it is noted by now: sending it again is noted. */
export type Learned = {
  readonly operation: Operation;
  readonly outcome: Outcome | NotLearned;
  /** When it is asked about again at the latest, for then it can be sent again; null or missing: as the schedule says. */
  readonly askAgainBy?: Date | null;
};

/**
 * `not_found`: the provider does not know it, or not yet. `nobody_to_ask`: only a webhook or a person can tell.
 * `taken_over`: somebody else has taken it up or settled it meanwhile.
 */
export type NotLearned = 'not_found' | 'nobody_to_ask' | 'taken_over';

/**
 * Asks the provider for the outcome of a pending operation, in the way that its class allows; never throws for its faults. What
 * a challenge held back is sent for the first time.
 */
export async function learnOutcome(app: App, claimed: Claimed): Promise<Learned> {
  const { operation, connection } = claimed;
  const { connector, context } = await callTo(app, operation, connection);
  // What arrives while it looks is not in the answer, however late that comes.
  const now = app.clock.now();
  const leaseMs = leaseMsOf(app.config.PAYGRAPH_PROVIDER_DEADLINE_MS);
  if (operation.unsent || isOurs(claimed)) return sendAgain(app, claimed);
  // What is being cancelled is not carried out meanwhile: only whether it was before is asked.
  if (claimed.completed && !claimed.transaction.voidPending)
    return { operation, outcome: await completeAt(app, claimed, connector, context) };
  const way = wayToLearn(connector.recovery, operation, { now, knows: null, leaseMs });
  if (way === 'wait') return { operation, outcome: 'nobody_to_ask' };
  if (way === 'send_again') return sendAgain(app, claimed);
  const { id: key, kind: verb, redemptionId, amount, currency } = operation;
  // Providers of gift cards have no look-up.
  if (redemptionId !== null || verb === 'redeem' || verb === 'unredeem')
    return { operation, outcome: 'nobody_to_ask' };
  const reference = claimed.transaction.paymentServiceTransactionId;
  await failpoint(`${verb}.looking`);
  const found = await lookUp(connector, context, app.log, {
    key,
    verb,
    reference,
    money: { amount, currency },
    approval: claimed.completed ? 'pending' : claimed.approval,
  });
  await failpoint(`${verb}.looked`);
  if (found) return { operation, outcome: found };
  const next = wayToLearn(connector.recovery, operation, { now, knows: false, leaseMs });
  if (next === 'send_again') return sendAgain(app, claimed);
  return {
    operation,
    outcome: 'not_found',
    askAgainBy: sendableFrom(connector.recovery, operation, leaseMs),
  };
}

/**
 * The same call under the same key, by whoever still owns the operation. The time is noted first: a crash then leaves it
 * noted too early, never too late.
 */
async function sendAgain(app: App, claimed: Claimed): Promise<Learned> {
  const { kind } = claimed.operation;
  const now = app.clock.now();
  const lease = leaseOf(app, now);
  const operation = await noteSent(app.db, claimed.operation, now, lease);
  if (!operation) return { operation: claimed.operation, outcome: 'taken_over' };
  await failpoint(`${kind}.resending`);
  const outcome = await send(app, await again(app, { ...claimed, operation }));
  await failpoint(`${kind}.resent`);
  return { operation, outcome };
}

/** A claim of an operation that was taken up: without the security code, which is kept nowhere. */
export async function again(app: App, { operation, ...claimed }: Claimed): Promise<Claim> {
  const { merchantAccountId, id, sealedCard } = operation;
  const means = await openMeans(app.vault, merchantAccountId, id, sealedCard);
  return { operation, ...claimed, ...means, alternatives: [] };
}
