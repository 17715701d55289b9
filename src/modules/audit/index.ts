export type { AuditEntry, AuditFilter } from './audit-entry.ts';
export { exportAudit, EXPORT_COLUMNS } from './export.ts';
export { auditFilter } from './filter.ts';
export { listAuditEntries } from './list.ts';
export { chainOnce, startAuditChain } from './chain.ts';
export { readAuditedAccounts } from './chain.sql.ts';
export { retainAuditOnce, startAuditRetention } from './retention.ts';
export { verifyAudit, type Head, type Verified } from './verify.ts';
