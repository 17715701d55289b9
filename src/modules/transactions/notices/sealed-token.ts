import type { App } from '../../../app.ts';
import { isDisputeNotice } from '../../../connectors/disputes.ts';
import type { WebhookNotice } from '../../../connectors/webhook.ts';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { InboundWebhook, StoredWebhook } from './webhook.ts';

type Owner = Pick<InboundWebhook, 'merchantAccountId' | 'id'>;

const context = ({ merchantAccountId, id }: Owner) =>
  ({ merchantAccountId, table: 'inbound_webhook', column: 'sealed_token', rowId: id }) as const;

/** Separates the provider's token from a notice and seals the token. */
export async function sealToken(
  vault: Vault,
  owner: Owner,
  notice: WebhookNotice,
): Promise<Pick<StoredWebhook, 'notice' | 'sealedToken'>> {
  if (isDisputeNotice(notice)) return { notice, sealedToken: null };
  const { outcome } = notice;
  if (!('recurringToken' in outcome) || outcome.recurringToken == null) return { notice, sealedToken: null };
  return {
    notice: { ...notice, outcome: { ...outcome, recurringToken: null } },
    sealedToken: await vault.seal(context(owner), outcome.recurringToken),
  };
}

/** Opens the token of a webhook. Returns null for a webhook without a token. */
export const openToken = async (app: App, webhook: InboundWebhook): Promise<string | null> =>
  webhook.sealedToken === null ? null : app.vault.open(context(webhook), webhook.sealedToken);
