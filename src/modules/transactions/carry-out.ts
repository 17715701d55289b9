import type { App } from '../../app.ts';
import { failpoint } from '../../platform/failpoint.ts';
import { reroute } from './reroute.ts';
import type { Outcome } from '../../connectors/connector.ts';
import { send, type Claim } from './send.ts';
import { settle, type Operated } from './settle.ts';

/**
 * Calls the provider with no transaction open, and settles with what it said. A sure refusal of an authorisation that may
 * be tried elsewhere is settled by the claim at the next service, which is then called.
 */
export async function carryOut(app: App, claim: Claim): Promise<Operated> {
  const { kind } = claim.operation;
  await failpoint(`${kind}.claimed`);
  const outcome = firstSaid(await send(app, claim));
  await failpoint(`${kind}.called`);
  const next = await reroute(app, claim, outcome);
  return next ? carryOut(app, next) : settle(app, claim, outcome);
}

/** What an operation's first request that never left means: it has surely failed, for there is no other one of its key. */
const firstSaid = (outcome: Outcome): Outcome =>
  outcome.kind === 'unknown' && outcome.sent === false ? NOT_SENT : outcome;

const NOT_SENT: Outcome = {
  kind: 'failed',
  reference: null,
  errorCode: 'service_network_error',
  rawResponseCode: null,
  rawResponseDescription: null,
};
