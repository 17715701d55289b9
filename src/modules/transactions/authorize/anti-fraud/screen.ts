import { environmentOf } from '../../../../platform/process/config.ts';
import type { App } from '../../../../app.ts';
import { failpoint } from '../../../../platform/failpoint.ts';
import {
  checkFraud,
  findStoredAntiFraudService,
  leaseOf,
  type FraudDecision,
  type StoredAntiFraudService,
} from '../../../payment-services/index.ts';
import type { FinalOutcome } from '../../model/outcome.ts';
import type { AuthorizationClaim, Preparation } from '../../claim/claim.ts';
import { current, settle } from '../../settle/settle.ts';
import type { Operated } from '../../model/operation.ts';
import { factsOf } from './facts.ts';
import { writeScreening } from './screening.sql.ts';

/**
 * Has the anti-fraud service screen a payment once, before any provider is asked for money. Stores the third party's decision
 * first, then writes the decision on the transaction.
 *
 * - A rejected payment ends as declined.
 * - Without a decision, the rule of the service decides.
 * - A crash leaves the authorisation deferred. Reconciliation continues here, under the same key.
 */
export async function screen(app: App, claim: AuthorizationClaim): Promise<Preparation> {
  const screened = claim.transaction.antiFraudDecision === 'pending' ? await decide(app, claim) : claim;
  if (!screened) return { kind: 'ended', operated: await current(app, claim.operation) };
  if (screened.transaction.antiFraudDecision !== 'reject') return { kind: 'ready', claim: screened };
  await failpoint('anti-fraud.rejected');
  return { kind: 'ended', operated: await settle(app, screened, REJECTED) };
}

/** True when an authorisation is deferred for its screening, or was screened and has not been sent since. */
export const waitsForScreening = ({ operation, transaction }: Operated): boolean =>
  operation.kind === 'authorize' && operation.unsent && transaction.antiFraudServiceId !== null;

const REJECTED: FinalOutcome = {
  kind: 'declined',
  reference: null,
  errorCode: 'suspected_fraud',
  rawResponseCode: null,
  rawResponseDescription: null,
};

async function decide(app: App, claim: AuthorizationClaim): Promise<AuthorizationClaim | null> {
  const { operation, transaction } = claim;
  const { merchantAccountId, antiFraudServiceId } = transaction;
  const service = await findStoredAntiFraudService(app.db, merchantAccountId, antiFraudServiceId ?? '');
  if (!service) throw new Error(`The anti-fraud service of transaction ${transaction.id} is gone.`);
  const checked = await checkFraud(app, service, await factsOf(app, transaction, service.definitionId));
  const decision = decisionOn(checked, service);
  await failpoint('anti-fraud.deciding');
  const now = app.clock.now();
  const written = await writeScreening(app.db, {
    operation,
    decision,
    history: { id: app.ids.uuid(), ...historyOf(checked, decision) },
    eventId: app.ids.uuid(),
    environment: environmentOf(app.config),
    now,
    leaseUntil: leaseOf(app, now),
  });
  await failpoint('anti-fraud.decided');
  app.wakeRelay();
  return written && { ...claim, ...written };
}

/** Returns the decision on a payment. The rule of the service replaces a decision that the third party did not make. */
function decisionOn({ decision }: FraudDecision, { fallback }: StoredAntiFraudService): Decision {
  const isUndecided = decision === 'error' || decision === 'exception';
  return isUndecided && fallback !== 'accept' ? fallback : decision;
}

type Decision = FraudDecision['decision'];

/** Returns the history entry of a check. The fallback is the decision on the payment, if the third party made none. */
function historyOf({ decision, interfaceVersion, cause, reference, ...raw }: FraudDecision, made: Decision) {
  const context = {
    decision,
    fallback: made === decision ? null : made,
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
