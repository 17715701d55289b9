import type { Log } from '../../platform/log.ts';
import { ask, lookUp } from './call.ts';
import type { CallContext } from '../interface/call-context.ts';
import type { Connector } from '../interface/connector.ts';
import type { Outcome } from '../interface/outcome.ts';

/**
 * Asks a provider to end an authorisation whose buyer did not come back in time, under the rules of `callConnector`. A
 * connector without the verb `abandon` is looked up instead. Null as for `lookUp`.
 */
export function abandonPayment(
  connector: Connector,
  context: CallContext,
  log: Log,
  request: Parameters<typeof lookUp>[3],
): Promise<Outcome | null> {
  const { key, reference, money } = request;
  if (!connector.abandon || reference === null) return lookUp(connector, context, log, request);
  const abandon = connector.abandon.bind(connector);
  return ask(connector, context, log, { ...request, verb: 'abandon' }, () =>
    abandon(context, { key, reference, money }),
  );
}
