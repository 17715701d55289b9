import { lineAndWhole } from '../../../../platform/database/column-set.ts';
import type { Buyer } from '../../model/buyer.ts';

/** The column sets of a buyer. A line has no billing details, which are JSON. */
export const BUYER_COLUMNS = lineAndWhole<Buyer>({
  id: 'line',
  merchantAccountId: 'line',
  displayName: 'line',
  externalIdentifier: 'line',
  accountNumber: 'line',
  createdAt: 'line',
  updatedAt: 'line',
  billingDetails: 'whole',
});
