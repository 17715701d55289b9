export type { AuditEntry, AuditFilter } from './audit-entry.ts';
export { exportAudit, EXPORT_COLUMNS } from './export.ts';
export { auditFilter } from './filter.ts';
export { listAuditEntries } from './list.ts';
export { chainOnce, startAuditChain } from './chain/chain.ts';
export { readAuditedAccounts } from './chain/chain.sql.ts';
export { retainAuditOnce, startAuditRetention } from './chain/retention.ts';
export { verifyAudit, type Head, type Verified } from './chain/verify.ts';
