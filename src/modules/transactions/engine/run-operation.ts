import type { App } from '../../../app.ts';
import { DECLINE_CODES, type DeclineCode } from '../../../connectors/codes/decline-codes.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import type { Operated } from '../model/operation.ts';
import type { AuthorizationClaim, Claim } from '../claim/claim.ts';
import { send } from './send.ts';
import { settle } from '../settle/settle.ts';

/** Calls the provider with no transaction open, and settles the operation with the outcome. */
export async function runOperation(app: App, claim: Claim): Promise<Operated> {
  return settle(app, claim, await callProvider(app, claim));
}

/** Sends a claimed operation for the first time, and returns the outcome. Writes nothing. */
export async function callProvider(app: App, claim: Claim | AuthorizationClaim): Promise<Outcome> {
  const { kind } = claim.operation;
  await failpoint(`${kind}.claimed`);
  const outcome = firstOutcome(claim, await send(app, claim));
  await failpoint(`${kind}.called`);
  return outcome;
}

/**
 * Decides the outcome when the first request never left the process. The operation failed, because no other request used
 * its key. A reversal is retried instead: the money is still owed.
 */
const firstOutcome = ({ operation }: Claim, outcome: Outcome): Outcome =>
  outcome.kind === 'unknown' && outcome.sent === false && operation.kind !== 'unredeem'
    ? notSent(outcome.refusedAs ?? 'service_network_error')
    : outcome;

const notSent = (errorCode: DeclineCode): Outcome => ({
  kind: DECLINE_CODES[errorCode].kind,
  reference: null,
  errorCode,
  rawResponseCode: null,
  rawResponseDescription: null,
});
