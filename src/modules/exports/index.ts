export { createExport } from './create.ts';
export type { Export } from './export.ts';
export { exportScopeOf, findExports, listExports } from './find.ts';
export { downloadUrlOf, openDownload } from './link.ts';
export { countUnfinishedExports } from './write/count-unfinished.sql.ts';
export { retainExportsOnce, startExportRetention } from './write/retention.ts';
export { startExportWriter, writeNextChunk } from './write/writer.ts';
