import type { App } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { writeUnlessTaken } from '../../../platform/database/write-unless-taken.ts';
import type { DuplicateRecord } from '../../accounts/index.ts';
import { findBuyerIdBy } from '../store/buyers/buyers.ts';

/** Writes a buyer, or refuses an external identifier in use and names the buyer that has the identifier. */
export const refuseTakenIdentifier = <Value, Refusal>(
  app: App,
  merchantAccountId: string,
  externalIdentifier: string | null,
  write: () => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal | DuplicateRecord>> =>
  writeUnlessTaken(write, async (error): Promise<DuplicateRecord | null> => {
    if (externalIdentifier === null) throw error;
    const resourceId = await findBuyerIdBy(app.db, merchantAccountId, externalIdentifier);
    return resourceId === null ? null : { ...TAKEN, resourceId };
  });

const TAKEN = {
  kind: 'DuplicateRecord',
  path: ['input', 'externalIdentifier'],
  message: 'Another buyer has this external identifier: see resourceId.',
} as const;
