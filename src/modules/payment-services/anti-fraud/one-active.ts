import type { App } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { writeUnlessTaken } from '../../../platform/database/write-unless-taken.ts';
import type { DuplicateRecord } from '../../accounts/index.ts';
import { findActive } from './anti-fraud-services.sql.ts';
import type { StoredAntiFraudService } from './anti-fraud-service.ts';

/** Writes an active anti-fraud service, or refuses and names the service that is already active. */
export const refusedIfOtherActive = <Value, Refusal>(
  app: App,
  { merchantAccountId, id }: Pick<StoredAntiFraudService, 'merchantAccountId' | 'id'>,
  write: () => Promise<Result<Value, Refusal>>,
): Promise<Result<Value, Refusal | DuplicateRecord>> =>
  writeUnlessTaken(write, async (error): Promise<DuplicateRecord | null> => {
    const other = await findActive(app.db, merchantAccountId);
    if (other?.id === id) throw error;
    return other && { ...OTHER_ACTIVE, resourceId: other.id };
  });

const OTHER_ACTIVE = {
  kind: 'DuplicateRecord',
  path: ['input', 'active'],
  message:
    'Another anti-fraud service is active, see resourceId. Deactivate that service first, or give active: false.',
} as const;
