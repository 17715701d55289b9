import type { App } from '../../../app.ts';
import { refuse, type Result } from '../../../kernel/result.ts';
import { isDuplicate } from '../../../platform/db.ts';
import type { DuplicateRecord } from '../../accounts/index.ts';
import { findActive } from '../store/anti-fraud-services.ts';
import type { StoredAntiFraudService } from './anti-fraud-service.ts';

/** Writes an anti-fraud service that is to be active, or names the other one that is. */
export async function refusedIfOtherActive<Value, Refusal>(
  app: App,
  { merchantAccountId, id }: Pick<StoredAntiFraudService, 'merchantAccountId' | 'id'>,
  write: () => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal | DuplicateRecord>> {
  // Every further round follows a change of the service that was in the way, so the rounds end.
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const other = await findActive(app.db, merchantAccountId);
      if (other?.id === id) throw error;
      if (other) return refuse({ ...OTHER_ACTIVE, resourceId: other.id });
    }
  }
}

const OTHER_ACTIVE = {
  kind: 'DuplicateRecord',
  path: ['input', 'active'],
  message:
    'Another anti-fraud service is active, and a payment is checked by one: deactivate that one first, see resourceId, or give active: false.',
} as const;
