import { z } from 'zod';
import { refuseRanges } from '../../platform/lists/filters.ts';
import { optional } from '../../platform/input/values.ts';
import { auditFilter } from '../audit/index.ts';
import { eventNamePatterns, targetSchema } from '../events/index.ts';
import { settlementFilter } from '../settlements/index.ts';
import { transactionFilter } from '../transactions/index.ts';
import { EXPORT_FORMATS, EXPORT_TYPES, type ExportType } from './export.ts';

const moments = { createdAtGte: optional(z.date()), createdAtLte: optional(z.date()) };

const ledgerFilter = z.object(moments).superRefine(refuseRanges('createdAt'));

const eventFilter = z
  .object({ ...moments, types: optional(eventNamePatterns), target: optional(targetSchema) })
  .superRefine(refuseRanges('createdAt'));

/** The name of each type's conditions in the input. */
export const FILTERS = {
  transactions: 'transactions',
  ledger: 'ledger',
  settlements: 'settlements',
  events: 'events',
  audit_log: 'auditLog',
} as const satisfies Record<ExportType, string>;

/** The input of a new export. Refuses conditions that break a limit of a list, conditions of another type, and a byte order mark for NDJSON. */
export const exportInput = z
  .object({
    type: z.enum(EXPORT_TYPES),
    format: z.enum(EXPORT_FORMATS),
    byteOrderMark: optional(z.boolean()),
    filter: optional(
      z.object({
        transactions: optional(transactionFilter),
        ledger: optional(ledgerFilter),
        settlements: optional(settlementFilter),
        events: optional(eventFilter),
        auditLog: optional(auditFilter),
      }),
    ),
  })
  .superRefine(({ type, format, byteOrderMark, filter }, context) => {
    if (byteOrderMark === true && format !== 'csv') {
      const message = 'Must be absent or false: only CSV has a byte order mark.';
      context.addIssue({ code: 'custom', path: ['byteOrderMark'], message });
    }
    for (const [name, conditions] of Object.entries(filter ?? {})) {
      if (conditions === null || name === FILTERS[type]) continue;
      const message = `Must be absent: the type of the export is ${type.toUpperCase()}.`;
      context.addIssue({ code: 'custom', path: ['filter', name], message });
    }
  });
