import type { App, Viewer } from '../../app.ts';
import { isUuid } from '../../platform/ids.ts';
import type { PaymentLink } from './payment-link.ts';
import { readLinks } from './store/links.ts';

/** Payment links in the order of the ids; null where the viewer's merchant account has none. */
export async function findPaymentLinks(
  app: App,
  { merchantAccountId }: Viewer,
  ids: readonly string[],
): Promise<readonly (PaymentLink | null)[]> {
  const found = await readLinks(app.db, merchantAccountId, ids.filter(isUuid));
  const byId = new Map(found.map((link) => [link.id, link]));
  // The database takes a UUID in either case and answers in lower case.
  return ids.map((id) => byId.get(id.toLowerCase()) ?? null);
}
