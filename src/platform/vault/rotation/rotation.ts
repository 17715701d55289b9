import type { Clock } from '../../clock.ts';
import type { Db } from '../../database/db.ts';
import type { Ids } from '../../ids.ts';
import type { KeyProvider } from '../master-key/key-provider.ts';

/** The dependencies and settings of a key rotation. */
export type Rotation = {
  readonly db: Db;
  readonly keys: KeyProvider;
  readonly ids: Ids;
  readonly clock: Clock;
  /** True to read and open everything and change nothing. */
  readonly dryRun: boolean;
  /** The number of values that one statement replaces. */
  readonly batch: number;
  /**
   * The time for which a server may still seal with an earlier version. The time must exceed CURRENT_FOR_MS unless no server
   * runs.
   */
  readonly waitMs: number;
  /** Called with each line of progress. */
  readonly say: (line: string) => void;
};
