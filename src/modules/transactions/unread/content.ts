import type { App } from '../../../app.ts';
import type { StoredUnread } from './unread-webhook.ts';

type Owner = Pick<StoredUnread, 'merchantAccountId' | 'id'>;

const context = ({ merchantAccountId, id }: Owner) =>
  ({ merchantAccountId, table: 'unread_webhook', column: 'sealed_body', rowId: id }) as const;

/** Seals the content of an unread webhook. */
export const sealContent = ({ vault }: Pick<App, 'vault'>, owner: Owner, content: string): Promise<string> =>
  vault.seal(context(owner), content);

/** Opens the content of an unread webhook. */
export const openContent = ({ vault }: Pick<App, 'vault'>, unread: StoredUnread): Promise<string> =>
  vault.open(context(unread), unread.sealedBody);
