import type { App } from '../../../app.ts';
import { refuse, type Result } from '../../../kernel/result.ts';
import { isDuplicate } from '../../../platform/db.ts';
import type { DuplicateRecord } from '../../accounts/index.ts';
import { findBuyerIdBy } from '../store/buyers.ts';

/** Writes a buyer, or names the one that has its external identifier already. */
export async function refusedIfTaken<Value, Refusal>(
  app: App,
  merchantAccountId: string,
  externalIdentifier: string | null,
  write: () => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal | DuplicateRecord>> {
  // Every further round follows a change of the buyer that was in the way, so the rounds end.
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error) || externalIdentifier === null) throw error;
      const resourceId = await findBuyerIdBy(app.db, merchantAccountId, externalIdentifier);
      if (resourceId !== null) {
        return refuse({
          kind: 'DuplicateRecord',
          path: ['input', 'externalIdentifier'],
          message: 'Another buyer has this external identifier: see resourceId.',
          resourceId,
        });
      }
    }
  }
}
