import type { ExportType } from '../export.ts';
import { auditLog } from './audit-log.ts';
import { events } from './events.ts';
import { ledger } from './ledger.ts';
import { settlements } from './settlements.ts';
import type { Source } from './source.ts';
import { transactions } from './transactions.ts';

/** The records of each type of export. */
export const SOURCES: Readonly<Record<ExportType, Source>> = {
  transactions,
  ledger,
  settlements,
  events,
  audit_log: auditLog,
};
