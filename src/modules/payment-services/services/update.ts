import type { App, Viewer } from '../../../app.ts';
import { invalidInput, notFound, type InvalidInput, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { applePayFailures, touchesApplePay } from '../credentials/apple-pay.ts';
import { mergeCredentials, openCredentials } from '../credentials/credentials.ts';
import { findDefinition } from '../model/definitions.ts';
import { changedFieldFailures, mergeFields, reportingFailures } from '../model/fields.ts';
import { decideFlags } from '../model/flags.ts';
import {
  distinct,
  supportFailures,
  threeDSecureFailures,
  updateFailures,
  type UpdatePaymentServiceInput,
} from './input.ts';
import { replaceProfile } from '../model/merchant-profile.ts';
import {
  momentAfter,
  toPaymentService,
  type PaymentService,
  type StoredPaymentService,
} from '../model/payment-service.ts';
import { findStored, replaceIfUnchanged } from '../store.ts';
import { checkCredentials } from '../connection/verify.ts';

/**
 * Updates a payment service. Values left out or null stay, except that a null profile clears the profile. Fields are
 * merged by key, and the definition's rules apply to the merged state. Refuses a deleted service as not found.
 * Commits once. The provider checks new credentials before the commit, and a refusal of them is stored as the status.
 * No concurrent update is lost: an update that finds a newer state is decided again.
 */
export async function updatePaymentService(
  app: App,
  viewer: Viewer,
  id: string,
  input: UpdatePaymentServiceInput,
): Promise<Result<PaymentService, InvalidInput | NotFound>> {
  // Each further round follows a change that somebody else stored, so the rounds end.
  for (;;) {
    const stored = await findStored(app.db, viewer.merchantAccountId, id);
    if (!stored || stored.deletedAt) return refuse(notFound('payment service'));
    const changed = await change(app, stored, input);
    if (!changed.ok) return changed;
    const written = await replaceIfUnchanged(app, stored, changed.value);
    if (written) return ok(toPaymentService(app, changed.value));
  }
}

async function change(
  app: App,
  stored: StoredPaymentService,
  input: UpdatePaymentServiceInput,
): Promise<Result<StoredPaymentService, InvalidInput>> {
  const definition = findDefinition(app, stored.definitionId);
  if (!definition) return refuse(invalidInput(['id'], NO_DEFINITION));
  const { flags, failures } = decideFlags(definition, input, stored);
  const reportingFields = mergeFields(stored.reportingFields, input.reportingFields ?? []);
  const [first, ...rest] = [
    ...updateFailures(input),
    ...changedFieldFailures(definition, input),
    ...supportFailures(definition, input),
    ...threeDSecureFailures(definition, input),
    ...failures,
    ...(input.settlementReportingEnabled ? reportingFailures(definition, reportingFields) : []),
  ];
  if (first) return refuse(first, ...rest);
  const now = momentAfter(stored.updatedAt, app.clock.now());
  const { merchantAccountId, id } = stored;
  const owner = { table: 'payment_service', merchantAccountId, id } as const;
  const given = input.fields ?? [];
  const credentials = await mergeCredentials(app.vault, owner, definition, { stored, given });
  const merged = touchesApplePay(given) ? await openCredentials(app.vault, owner, credentials) : {};
  const [bad, ...more] = applePayFailures(given, merged, now);
  if (bad) return refuse(bad, ...more);
  return ok({
    ...stored,
    ...flags,
    ...credentials,
    ...(given.length > 0 && (await checkCredentials(app, { ...stored, ...credentials }))),
    reportingFields,
    displayName: input.displayName ?? stored.displayName,
    acceptedCurrencies: input.acceptedCurrencies
      ? distinct(input.acceptedCurrencies)
      : stored.acceptedCurrencies,
    acceptedCountries: input.acceptedCountries ? distinct(input.acceptedCountries) : stored.acceptedCountries,
    position: input.position ?? stored.position,
    active: input.active ?? stored.active,
    threeDSecureFallback: input.threeDSecureFallback ?? stored.threeDSecureFallback,
    merchantProfile:
      input.merchantProfile === undefined
        ? stored.merchantProfile
        : replaceProfile(stored.merchantProfile, input.merchantProfile ?? [], now),
    updatedAt: now,
  });
}

const NO_DEFINITION = 'The definition of this service no longer exists. The service can only be deleted.';
