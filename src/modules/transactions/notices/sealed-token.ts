import type { App } from '../../../app.ts';
import { isDisputeNotice } from '../../../connectors/notices/disputes.ts';
import { isStoredMethodNotice } from '../../../connectors/notices/stored-methods.ts';
import type { WebhookNotice } from '../../../connectors/notices/webhook.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { StoredWebhook } from './webhook.ts';

type Owner = Pick<StoredWebhook, 'merchantAccountId' | 'id'>;

const context = ({ merchantAccountId, id }: Owner) =>
  ({ merchantAccountId, table: 'inbound_webhook', column: 'sealed_token', rowId: id }) as const;

/** Separates the provider's token from a notice and seals the token. */
export async function sealToken(
  vault: Vault,
  owner: Owner,
  notice: WebhookNotice,
): Promise<Pick<StoredWebhook, 'notice' | 'sealedToken'>> {
  const { token, rest } = partsOf(notice);
  return { notice: rest, sealedToken: token === null ? null : await vault.seal(context(owner), token) };
}

/** Splits a notice into its token and the rest. */
function partsOf(notice: WebhookNotice): { readonly token: string | null; readonly rest: WebhookNotice } {
  if (isDisputeNotice(notice)) return { token: null, rest: notice };
  if (isStoredMethodNotice(notice)) {
    const { storedMethod } = notice;
    return { token: storedMethod.token, rest: { ...notice, storedMethod: { ...storedMethod, token: null } } };
  }
  const { outcome } = notice;
  if (!('recurringToken' in outcome) || outcome.recurringToken == null) return { token: null, rest: notice };
  return {
    token: outcome.recurringToken,
    rest: { ...notice, outcome: { ...outcome, recurringToken: null } },
  };
}

/** Opens the token of a webhook. Returns null for a webhook without a token. */
export const openToken = async (app: App, webhook: StoredWebhook): Promise<string | null> =>
  webhook.sealedToken === null ? null : app.vault.open(context(webhook), webhook.sealedToken);
