import type { App } from '../../../app.ts';
import type { CallContext } from '../../../connectors/interface/call-context.ts';
import type { Connector } from '../../../connectors/interface/connector.ts';
import type { Definition } from '../../../connectors/interface/definition.ts';
import { environmentOf } from '../../../platform/process/config.ts';
import { ANTI_FRAUD_DEADLINE_MS } from '../anti-fraud/context.ts';
import { connectionOf } from './connection.ts';
import type { ConnectionRow } from '../store.ts';

/**
 * Returns the connector of a payment service, and the context of a call. The context holds the credentials in clear, for
 * one call. Throws when no connector has the definition.
 */
export async function openCall(
  app: App,
  merchantAccountId: string,
  row: ConnectionRow,
): Promise<{ readonly connector: Connector; readonly context: CallContext }> {
  const { connector, ...opened } = await connectionOf(app, merchantAccountId, row);
  return { connector, context: contextOf(app, { ...opened, id: row.id }) };
}

/** Returns the context of a call with credentials in clear. `id` is the payment service of its access tokens. */
export const contextOf = (
  app: App,
  { id, definition, credentials }: Pick<CallContext, 'definition' | 'credentials'> & { readonly id: string },
): CallContext => ({
  ...{ definition, credentials, environment: environmentOf(app.config), http: app.http },
  accessTokens: app.accessTokens.of(id, credentials),
  deadlineMs: deadlineMsOf(app, definition),
});

/** Returns the time limit of a call, in milliseconds: the setting, or the definition's own. */
const deadlineMsOf = ({ config }: Pick<App, 'config'>, { deadlineMs }: Definition): number =>
  config.PAYGRAPH_PROVIDER_DEADLINE_MS ?? deadlineMs;

/** Returns the longest time limit of any call, in milliseconds. Leases outlast it. */
export const longestDeadlineMs = ({ config, connectors }: Pick<App, 'config' | 'connectors'>): number =>
  config.PAYGRAPH_PROVIDER_DEADLINE_MS ??
  Math.max(
    ANTI_FRAUD_DEADLINE_MS,
    ...connectors.flatMap(({ definitions }) => definitions.map(({ deadlineMs }) => deadlineMs)),
  );
