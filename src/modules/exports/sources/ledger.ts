import { ok } from '../../../kernel/result.ts';
import { listLedgerEntries, type LedgerEntry } from '../../transactions/index.ts';
import { field, PAGE_MAX, sourceOf } from './source.ts';

/** Entries of the ledger, oldest first. */
export const ledger = sourceOf<LedgerEntry>({
  scope: 'transactions.read',
  columns: [
    field('id', ({ id }) => id),
    field('transaction_id', ({ transactionId }) => transactionId),
    field('operation_id', ({ operationId }) => operationId),
    field('kind', ({ kind }) => kind),
    field('amount', ({ amount }) => amount),
    field('currency', ({ currency }) => currency),
    field('created_at', ({ createdAt }) => createdAt),
    field('splits', ({ splits }) => splits && JSON.stringify(splits), 'json'),
  ],
  readPage: async (app, reading) => {
    const { after, filter, until } = reading;
    const { createdAtGte, createdAtLte } = filter;
    const from = createdAtGte instanceof Date ? createdAtGte : null;
    const to = createdAtLte instanceof Date && createdAtLte < until ? createdAtLte : until;
    const rows = await listLedgerEntries(app, reading, { after, from, until: to, limit: PAGE_MAX + 1 });
    return ok({ items: rows.slice(0, PAGE_MAX), hasMore: rows.length > PAGE_MAX });
  },
  positionOf: ({ id }) => id,
});
