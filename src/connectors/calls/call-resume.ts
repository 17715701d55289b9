import type { Log } from '../../platform/log.ts';
import { ask } from './call.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Connector } from '../interface/connector.ts';
import type { Outcome } from '../interface/outcome.ts';
import type { ResumeRequest } from '../interface/requests.ts';

/**
 * Asks a provider to continue an authorisation after the buyer's return, under the rules of `callConnector`. The log
 * gets none of the returned parameters.
 */
export const resumePayment = (
  connector: Connector,
  context: CallContext,
  log: Log,
  request: ResumeRequest,
): Promise<Outcome> => {
  const { key, money } = request;
  return ask(connector, context, log, { verb: 'resume', key, money }, async () => {
    if (!connector.resume) throw new Error(`The connector ${connector.id} does not support returns.`);
    return connector.resume(context, request);
  });
};
