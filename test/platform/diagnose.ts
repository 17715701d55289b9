import { withEngine } from '../../src/platform/migrate/engine.ts';
import { migrationList } from '../../src/platform/migrate/files.ts';

/** Returns Prisma's opinion of the migrations of a database. */
export const diagnose = async (url: string, folder?: string) => {
  const migrationsList = await migrationList(folder);
  const filters = { externalTables: [], externalEnums: [] };
  return await withEngine(url, (engine) =>
    engine.diagnoseMigrationHistory({ migrationsList, filters, optInToShadowDatabase: true }),
  );
};
