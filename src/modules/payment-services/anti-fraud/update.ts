import type { App, Viewer } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { DuplicateRecord } from '../../accounts/index.ts';
import { mergeCredentials } from '../credentials/credentials.ts';
import { changedFieldFailures } from '../model/fields.ts';
import { momentAfter } from '../model/payment-service.ts';
import { findStoredAntiFraudService } from './anti-fraud-services.sql.ts';
import {
  ownerOf,
  toAntiFraudService,
  type AntiFraudService,
  type StoredAntiFraudService,
} from './anti-fraud-service.ts';
import { findAntiFraudDefinition } from './definitions.ts';
import { updateFailures, versionFailures, type UpdateAntiFraudServiceInput } from './input.ts';
import { refusedIfOtherActive } from './one-active.ts';
import { writeChange } from './write-change.ts';

/**
 * Updates an anti-fraud service. Values left out or null stay, and fields are merged by key. A switched interface
 * version applies from the next check on. Refuses a deleted service as not found, and a second active one.
 * Commits once, with the event. No concurrent update is lost: an update that finds a newer state is decided again.
 */
export async function updateAntiFraudService(
  app: App,
  viewer: Viewer,
  id: string,
  input: UpdateAntiFraudServiceInput,
): Promise<Result<AntiFraudService, InvalidInput | NotFound | DuplicateRecord>> {
  // Each further round follows a change that somebody else stored, so the rounds end.
  for (;;) {
    const stored = await findStoredAntiFraudService(app.db, viewer.merchantAccountId, id);
    if (!stored || stored.deletedAt) return refuse(notFound('anti-fraud service'));
    const changed = await change(app, stored, input);
    if (!changed.ok) return changed;
    const written = await refusedIfOtherActive(app, stored, async (): Promise<Result<boolean, never>> =>
      ok(await writeChange(app, 'updated', stored, changed.value)),
    );
    if (!written.ok) return written;
    if (written.value) return ok(toAntiFraudService(app, changed.value));
  }
}

async function change(
  app: App,
  stored: StoredAntiFraudService,
  input: UpdateAntiFraudServiceInput,
): Promise<Result<StoredAntiFraudService, InvalidInput>> {
  const definition = findAntiFraudDefinition(app, stored.definitionId);
  if (!definition) return refuse(invalidInput(['id'], NO_DEFINITION));
  const given = input.fields ?? [];
  const [first, ...rest] = [
    ...updateFailures(input),
    ...changedFieldFailures(definition, { fields: given }),
    ...versionFailures(definition, input),
  ];
  if (first) return refuse(first, ...rest);
  return ok({
    ...stored,
    ...(await mergeCredentials(app.vault, ownerOf(stored), definition, { stored, given })),
    displayName: input.displayName ?? stored.displayName,
    active: input.active ?? stored.active,
    newerInterfaceEnabled: input.newerInterfaceEnabled ?? stored.newerInterfaceEnabled,
    fallback: input.fallback ?? stored.fallback,
    updatedAt: momentAfter(stored.updatedAt, app.clock.now()),
  });
}

const NO_DEFINITION = 'The definition of this service no longer exists. The service can only be deleted.';
