import type { App } from '../../../app.ts';
import { countingBy, type CountedRows } from '../../../platform/database/counted-rows.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import { thresholdOf } from './threshold.ts';

const countOpen = countingBy(prepareFile(import.meta, 'count-open-circuits.sql'));

/** Counts the open circuits by definition. Counts none while circuits are off. */
export const countOpenCircuits = async ({
  readDb,
  config,
}: Pick<App, 'readDb' | 'config'>): Promise<readonly CountedRows[]> =>
  thresholdOf({ config }) ? await countOpen(readDb) : [];
