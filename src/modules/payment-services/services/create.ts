import type { App, Viewer } from '../../../app.ts';
import type { Definition } from '../../../connectors/interface/definition.ts';
import { packageText } from '../../../connectors/packages/house.ts';
import { invalidInput, type IdempotencyRefusal, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { createOnce, refuseKey } from '../../idempotency/index.ts';
import { applePayFailures } from '../credentials/apple-pay.ts';
import { digestCredentials, sealCredentials } from '../credentials/credentials.ts';
import { findDefinition } from '../model/definitions.ts';
import { byKey, newFieldFailures, reportingFailures, type Field } from '../model/fields.ts';
import { decideFlags, type Flags } from '../model/flags.ts';
import {
  createFailures,
  distinct,
  supportFailures,
  threeDSecureFailures,
  type CreatePaymentServiceInput,
} from './input.ts';
import { replaceProfile, type MerchantProfileInput } from '../model/merchant-profile.ts';
import {
  fromJson,
  toJson,
  toPaymentService,
  type PaymentService,
  type StoredPaymentService,
  type ThreeDSecureFallback,
} from '../model/payment-service.ts';
import { insertPaymentService, takeNextPosition } from '../store.ts';
import { checkCredentials, UNCHECKED } from '../connection/verify.ts';
import { newWebhookToken } from '../credentials/webhook-token.ts';

/**
 * Creates a payment service. Reports all values that break a limit or a rule of the definition together. A refusal
 * stores nothing.
 * Commits once: the service with its secrets sealed, and the record of the idempotency key. The record holds no secret.
 * The provider checks the credentials before the commit, and a refusal of them is stored as the status.
 */
export async function createPaymentService(
  app: App,
  viewer: Viewer,
  input: CreatePaymentServiceInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<Created, InvalidInput | IdempotencyRefusal>> {
  const parsed = parse(app, input, idempotencyKey);
  if (!parsed.ok) return parsed;
  const plan = parsed.value;
  // Seal before the transaction begins: the vault may need a connection of its own.
  const prepared = await prepare(app, viewer, plan);
  // The provider checks the credentials before the transaction, because nothing is called inside.
  const fresh = { ...prepared, ...(await checkCredentials(app, prepared)) };
  const once = {
    merchantAccountId: viewer.merchantAccountId,
    operation: 'createPaymentService',
    key: idempotencyKey,
    input: { input: await canonical(app, viewer, plan, input) },
    now: fresh.createdAt,
  };
  const insert = async (tx: Tx) => {
    const position = plan.position ?? (await takeNextPosition(tx, viewer.merchantAccountId));
    await insertPaymentService(tx, { ...fresh, position });
    return toJson(toPaymentService(app, { ...fresh, position }));
  };
  const created = await createOnce(app.db, once, insert).finally(() => app.serviceChanges.note());
  if (!created.ok) return created;
  return ok({ paymentService: fromJson(created.value.value), replayed: created.value.replayed });
}

/** The created service. `replayed`: the answer comes from the record of the idempotency key. */
export type Created = { readonly paymentService: PaymentService; readonly replayed: boolean };

/** An accepted input with its defaults. */
type Plan = {
  readonly definition: Definition;
  readonly displayName: string;
  readonly fields: readonly Field[];
  readonly reportingFields: readonly Field[];
  readonly acceptedCurrencies: readonly string[];
  readonly acceptedCountries: readonly string[];
  /** Null: after the last service. */
  readonly position: number | null;
  readonly active: boolean;
  readonly merchantProfile: readonly MerchantProfileInput[];
  readonly threeDSecureFallback: ThreeDSecureFallback;
  readonly flags: Flags;
};

function parse(
  app: App,
  input: CreatePaymentServiceInput,
  idempotencyKey: string | null | undefined,
): Result<Plan, InvalidInput> {
  const failures = [...createFailures(input)];
  const definition = findDefinition(app, input.paymentServiceDefinitionId);
  const decided = definition && decideFlags(definition, input, null);
  failures.push(...newFieldFailures(definition, input));
  failures.push(...applePayFailures(input.fields, byKey(input.fields), app.clock.now()));
  if (definition)
    failures.push(...supportFailures(definition, input), ...threeDSecureFailures(definition, input));
  if (decided) failures.push(...decided.failures);
  if (definition && decided?.flags.settlementReportingEnabled) {
    failures.push(...reportingFailures(definition, input.reportingFields ?? []));
  }
  if (!definition && !failures.some(({ path }) => path[1] === DEFINITION_ID)) {
    failures.push(invalidInput(['input', DEFINITION_ID], 'Must be an id in paymentServiceDefinitions.'));
  }
  const badKey = refuseKey(idempotencyKey);
  if (badKey) failures.push(badKey);
  const [first, ...rest] = failures;
  if (first) return refuse(first, ...rest);
  if (!definition || !decided) throw new Error('A definition that is not known was not refused.');
  return ok({
    definition,
    displayName: input.displayName,
    fields: input.fields,
    reportingFields: input.reportingFields ?? [],
    acceptedCurrencies: distinct(input.acceptedCurrencies),
    acceptedCountries: distinct(input.acceptedCountries),
    position: input.position ?? null,
    active: input.active ?? true,
    merchantProfile: input.merchantProfile ?? [],
    threeDSecureFallback: input.threeDSecureFallback ?? 'continue',
    flags: decided.flags,
  });
}

const DEFINITION_ID = 'paymentServiceDefinitionId';

/** Builds the whole row except for its position. The position is known only after concurrent creates have theirs. */
async function prepare(
  app: App,
  viewer: Viewer,
  plan: Plan,
): Promise<Omit<StoredPaymentService, 'position'>> {
  const now = app.clock.now();
  const { merchantAccountId } = viewer;
  const id = app.ids.uuid();
  const owner = { table: 'payment_service', merchantAccountId, id } as const;
  return {
    merchantAccountId,
    id,
    ...plan.flags,
    definitionId: plan.definition.id,
    connectorPackage: packageText(plan.definition),
    method: plan.definition.method,
    displayName: plan.displayName,
    active: plan.active,
    ...UNCHECKED,
    acceptedCurrencies: plan.acceptedCurrencies,
    acceptedCountries: plan.acceptedCountries,
    ...(await sealCredentials(app.vault, owner, plan.definition, plan.fields)),
    reportingFields: plan.reportingFields,
    merchantProfile: replaceProfile(null, plan.merchantProfile, now),
    threeDSecureFallback: plan.threeDSecureFallback,
    webhookToken: newWebhookToken(app.ids),
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * Returns the input for the record of the idempotency key, with secrets as keyed digests. Flags stay as given, so that
 * a repeat still matches after a default of the definition changes.
 */
async function canonical(
  app: App,
  { merchantAccountId }: Viewer,
  { definition, flags, ...plan }: Plan,
  { openLoop, networkTokensEnabled, paymentMethodTokenizationEnabled }: CreatePaymentServiceInput,
): Promise<Readonly<Record<string, unknown>>> {
  const owner = { table: 'payment_service', merchantAccountId } as const;
  return {
    ...plan,
    [DEFINITION_ID]: definition.id,
    fields: await digestCredentials(app.vault, owner, definition, plan.fields),
    threeDSecureEnabled: flags.threeDSecureEnabled,
    settlementReportingEnabled: flags.settlementReportingEnabled,
    openLoop,
    networkTokensEnabled,
    paymentMethodTokenizationEnabled,
  };
}
