import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import type { Credentials } from '../../../connectors/interface/call-context.ts';
import { verifyCredentials as askProvider } from '../../../connectors/calls/call-verification.ts';
import {
  invalidInput,
  notFound,
  type InvalidInput,
  type NotFound,
  type ProviderUnavailable,
} from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { text } from '../../../platform/input/text.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { applePayFailures } from '../credentials/apple-pay.ts';
import { contextOf } from './call-context.ts';
import { openCredentials } from '../credentials/credentials.ts';
import { findProvider } from '../model/definitions.ts';
import { byKey, changedFieldFailures, mergeFields, newFieldFailures, type Field } from '../model/fields.ts';
import { findStored } from '../store.ts';
import { NO_CHECK } from './verify.ts';

/** Credentials to check. Those of a stored service are merged with the given ones. */
export type VerifyCredentialsInput = {
  readonly paymentServiceDefinitionId: string;
  readonly paymentServiceId?: string | null | undefined;
  readonly fields: readonly Field[];
};

/** The provider refused the credentials. `reason` holds the provider's words, without the credentials. */
export type CredentialsRefused = { readonly kind: 'CredentialsRefused'; readonly reason: string };

/** Credentials that a provider did not refuse. `checkedAt` is null if they hold nothing to check. */
export type VerifiedCredentials = {
  readonly paymentServiceDefinitionId: string;
  readonly checkedAt: Date | null;
};

type Refusal = InvalidInput | NotFound | CredentialsRefused | ProviderUnavailable;

/**
 * Asks a provider whether it accepts credentials. Stores nothing and moves no money. Refuses fields that a new service or an
 * update would not take, and a definition that has no such check.
 */
export async function verifyCredentials(
  app: App,
  viewer: Viewer,
  input: VerifyCredentialsInput,
): Promise<Result<VerifiedCredentials, Refusal>> {
  const parsed = parseInput(verifyCredentialsSchema, input);
  if (!parsed.ok) return parsed;
  const { paymentServiceDefinitionId } = input;
  const provider = findProvider(app, paymentServiceDefinitionId);
  if (!provider) return refuse(invalidInput(DEFINITION, 'Must be an id in paymentServiceDefinitions.'));
  if (!provider.definition.supportedFeatures.verify_credentials)
    return refuse(invalidInput(DEFINITION, NO_CHECK));
  const merged = await mergedCredentials(app, viewer, input, provider.definition);
  if (!merged.ok) return merged;
  const [bad, ...more] = applePayFailures(input.fields, merged.value, app.clock.now());
  if (bad) return refuse(bad, ...more);
  // No service has this id, so an access token of these credentials serves this check alone.
  const context = contextOf(app, { ...provider, id: app.ids.uuid(), credentials: merged.value });
  const verification = await askProvider(provider.connector, context, app.log);
  if (verification?.kind === 'refused')
    return refuse({ kind: 'CredentialsRefused', reason: verification.reason });
  if (verification?.kind === 'unknown') return refuse({ kind: 'ProviderUnavailable' });
  return ok({ paymentServiceDefinitionId, checkedAt: verification ? app.clock.now() : null });
}

const DEFINITION = ['input', 'paymentServiceDefinitionId'];

/** Limits of the values that a definition does not decide. */
export const verifyCredentialsSchema = z.object({ paymentServiceDefinitionId: text(1, 50) });

/** Returns the given credentials, over those of the stored service if the input names one. The answer is in clear. */
async function mergedCredentials(
  app: App,
  { merchantAccountId }: Viewer,
  { paymentServiceDefinitionId, paymentServiceId, fields }: VerifyCredentialsInput,
  definition: Parameters<typeof newFieldFailures>[0] & object,
): Promise<Result<Credentials, InvalidInput | NotFound>> {
  if (paymentServiceId === null || paymentServiceId === undefined) {
    const [first, ...rest] = newFieldFailures(definition, { fields });
    return first ? refuse(first, ...rest) : ok(byKey(fields));
  }
  const stored = await findStored(app.db, merchantAccountId, paymentServiceId);
  if (!stored || stored.deletedAt) return refuse(notFound('payment service', ['input', 'paymentServiceId']));
  if (stored.definitionId !== paymentServiceDefinitionId)
    return refuse(invalidInput(DEFINITION, 'Must be the definition of the payment service.'));
  const [first, ...rest] = changedFieldFailures(definition, { fields });
  if (first) return refuse(first, ...rest);
  const owner = { table: 'payment_service', merchantAccountId, id: stored.id } as const;
  const known = Object.entries(await openCredentials(app.vault, owner, stored));
  return ok(
    byKey(
      mergeFields(
        known.map(([key, value]) => ({ key, value })),
        fields,
      ),
    ),
  );
}
