import type { Clock } from '../clock.ts';
import type { Db } from '../db.ts';
import type { Ids } from '../ids.ts';
import type { KeyProvider } from './key-provider.ts';

/** What a rotation of keys works with, and how. */
export type Rotation = {
  readonly db: Db;
  readonly keys: KeyProvider;
  readonly ids: Ids;
  readonly clock: Clock;
  /** Reads and opens everything and changes nothing. */
  readonly dryRun: boolean;
  /** How many values are sealed anew by one statement. */
  readonly batch: number;
  /** How long a server may go on sealing with a version that is not the newest; more than CURRENT_FOR_MS unless none runs. */
  readonly waitMs: number;
  /** Told what is done, a line at a time. */
  readonly say: (line: string) => void;
};
