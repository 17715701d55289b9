import type { App, Viewer } from '../../app.ts';
import { inOrderOf, isUuid } from '../../platform/ids.ts';
import type { PaymentLink } from './payment-link.ts';
import type { LinkColumns } from './store/columns.ts';
import { readLinks } from './store/links.ts';

/**
 * Returns payment links with the fields of `columns` in the order of the ids. An id unknown to the viewer's merchant account
 * gives null.
 */
export async function findPaymentLinks(
  app: App,
  { merchantAccountId }: Pick<Viewer, 'merchantAccountId'>,
  ids: readonly string[],
  columns: LinkColumns = 'whole',
): Promise<readonly (PaymentLink | null)[]> {
  const found = await readLinks(app.db, merchantAccountId, ids.filter(isUuid), columns);
  return inOrderOf(ids, found);
}
