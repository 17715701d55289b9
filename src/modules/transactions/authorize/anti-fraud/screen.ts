import type { App } from '../../../../app.ts';
import { failpoint } from '../../../../platform/failpoint.ts';
import {
  checkFraud,
  findStoredAntiFraudService,
  type FraudDecision,
  type FraudFacts,
} from '../../../payment-services/index.ts';
import type { Ready } from '../split-tender/redeem.ts';
import type { FinalOutcome } from '../../model/outcome.ts';
import { leaseOf } from '../../engine/schedule.ts';
import type { Claim } from '../../engine/send.ts';
import { current, settle } from '../../engine/settle.ts';
import type { Operated } from '../../model/operation.ts';
import { writeJudgement } from './screening.sql.ts';
import type { Transaction } from '../../model/transaction.ts';

/**
 * Has a payment judged before anybody is asked for money, once: the third party's decision is kept first, then written on the
 * transaction. What it rejects ends as declined; when it gives no answer, or none that decides, the payment goes on. A crash
 * anywhere leaves the authorisation held back, which reconciliation takes up: it comes here again, under the same key.
 */
export async function judge(app: App, claim: Claim): Promise<Ready> {
  if (claim.operation.kind !== 'authorize') return { claim };
  const judged = claim.transaction.antiFraudDecision === 'pending' ? await decide(app, claim) : claim;
  if (!judged) return { stands: await current(app, claim.operation) };
  if (judged.transaction.antiFraudDecision !== 'reject') return { claim: judged };
  await failpoint('anti-fraud.rejected');
  return { stands: await settle(app, judged, REJECTED) };
}

/** Whether an authorisation is held back until the payment is judged, or was, and has not been sent since. */
export const waitsForJudgement = ({ operation, transaction }: Operated): boolean =>
  operation.kind === 'authorize' && operation.unsent && transaction.antiFraudServiceId !== null;

const REJECTED: FinalOutcome = {
  kind: 'declined',
  reference: null,
  errorCode: 'suspected_fraud',
  rawResponseCode: null,
  rawResponseDescription: null,
};

async function decide(app: App, claim: Claim): Promise<Claim | null> {
  const { operation, transaction } = claim;
  const { merchantAccountId, antiFraudServiceId } = transaction;
  const service = await findStoredAntiFraudService(app.db, merchantAccountId, antiFraudServiceId ?? '');
  if (!service) throw new Error(`The anti-fraud service of transaction ${transaction.id} is gone.`);
  const decision = await checkFraud(app, service, factsOf(transaction));
  await failpoint('anti-fraud.deciding');
  const now = app.clock.now();
  const written = await writeJudgement(app.db, {
    operation,
    decision: decision.decision,
    history: { id: app.ids.uuid(), ...told(decision) },
    eventId: app.ids.uuid(),
    environment: app.config.production ? 'production' : 'sandbox',
    now,
    leaseUntil: leaseOf(app, now),
  });
  await failpoint('anti-fraud.decided');
  app.wakeRelay();
  return written && { ...claim, ...written };
}

/** The whole payment is judged, whoever pays which part of it. */
const factsOf = ({ id, amount, currency, buyer, ...transaction }: Transaction): FraudFacts => ({
  transactionId: id,
  money: { amount, currency },
  buyer,
  card:
    transaction.cardBin !== null && transaction.cardLastFour !== null
      ? {
          bin: transaction.cardBin,
          lastFour: transaction.cardLastFour,
          fingerprint: transaction.cardFingerprint,
        }
      : null,
  deviceFingerprint: transaction.antiFraudFingerprint,
});

/** The entry of the history, by the names of facts 1.9. */
function told({ decision, interfaceVersion, cause, reference, ...raw }: FraudDecision) {
  const context = {
    decision,
    interface_version: interfaceVersion,
    anti_fraud_check_id: reference,
    raw_response_code: raw.rawResponseCode,
    raw_response_description: raw.rawResponseDescription,
  };
  const reason = cause ?? raw.rawResponseDescription ?? decision;
  switch (decision) {
    case 'skipped':
      return { name: 'anti-fraud-decision-skipped', context: { ...context, reason } };
    case 'error':
    case 'exception':
      return { name: 'anti-fraud-decision-error', context: { ...context, reason } };
    default:
      return { name: 'anti-fraud-decision', context };
  }
}
