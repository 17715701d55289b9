import type { App, Viewer } from '../../../app.ts';
import type { AntiFraudDefinition } from '../../../connectors/anti-fraud/connector.ts';
import { invalidInput, type IdempotencyRefusal, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { createOnce, refuseKey } from '../../idempotency/index.ts';
import type { DuplicateRecord } from '../../accounts/index.ts';
import { digestCredentials, sealCredentials } from '../credentials/credentials.ts';
import { newFieldFailures } from '../model/fields.ts';
import { insertAntiFraudService } from './anti-fraud-services.sql.ts';
import { newWebhookToken } from '../credentials/webhook-token.ts';
import {
  fromJson,
  ownerOf,
  toAntiFraudService,
  toJson,
  type AntiFraudService,
  type StoredAntiFraudService,
} from './anti-fraud-service.ts';
import { findAntiFraudDefinition } from './definitions.ts';
import { recordAntiFraudEvent } from './event.ts';
import { createFailures, versionFailures, type CreateAntiFraudServiceInput } from './input.ts';
import { refusedIfOtherActive } from './one-active.ts';

/** The created service. `replayed`: the answer comes from the record of the idempotency key. */
export type CreatedAntiFraudService = {
  readonly antiFraudService: AntiFraudService;
  readonly replayed: boolean;
};

/**
 * Creates an anti-fraud service. Reports all values that break a limit or a rule of the definition together. Refuses a
 * second active service. A refusal stores nothing.
 * Commits once: the service with its secrets sealed, its event, and the record of the idempotency key. The record holds
 * no secret.
 */
export async function createAntiFraudService(
  app: App,
  viewer: Viewer,
  input: CreateAntiFraudServiceInput,
  idempotencyKey: string | null | undefined,
): Promise<Result<CreatedAntiFraudService, InvalidInput | IdempotencyRefusal | DuplicateRecord>> {
  const parsed = parse(app, input, idempotencyKey);
  if (!parsed.ok) return parsed;
  const definition = parsed.value;
  // Seal before the transaction begins: the vault may need a connection of its own.
  const fresh = await prepare(app, viewer, definition, input);
  const { merchantAccountId, definitionId, displayName, active, newerInterfaceEnabled, fallback } = fresh;
  const once = {
    merchantAccountId,
    operation: 'createAntiFraudService',
    key: idempotencyKey,
    input: {
      input: {
        [DEFINITION_ID]: definitionId,
        ...{ displayName, active, newerInterfaceEnabled },
        // A key that an earlier release stored knows no rule, and names the same request.
        ...(fallback !== 'accept' && { fallback }),
        fields: await digestCredentials(app.vault, ownerOf(fresh), definition, input.fields),
      },
    },
    now: fresh.createdAt,
  };
  return await refusedIfOtherActive(app, fresh, async () => {
    const created = await createOnce(app.db, once, async (tx) => {
      await insertAntiFraudService(tx, fresh);
      await recordAntiFraudEvent(app, tx, 'created', fresh);
      return toJson(toAntiFraudService(app, fresh));
    });
    if (!created.ok) return created;
    const { value, replayed } = created.value;
    return ok({ antiFraudService: fromJson(value), replayed });
  });
}

const DEFINITION_ID = 'antiFraudServiceDefinitionId';

function parse(
  app: App,
  input: CreateAntiFraudServiceInput,
  idempotencyKey: string | null | undefined,
): Result<AntiFraudDefinition, InvalidInput> {
  const failures = [...createFailures(input)];
  const definition = findAntiFraudDefinition(app, input.antiFraudServiceDefinitionId);
  failures.push(...newFieldFailures(definition, { fields: input.fields }));
  if (definition) failures.push(...versionFailures(definition, input));
  if (!definition && !failures.some(({ path }) => path[1] === DEFINITION_ID)) {
    failures.push(invalidInput(['input', DEFINITION_ID], 'Must be an id in antiFraudServiceDefinitions.'));
  }
  const badKey = refuseKey(idempotencyKey);
  if (badKey) failures.push(badKey);
  const [first, ...rest] = failures;
  if (first) return refuse(first, ...rest);
  if (!definition) throw new Error('A definition that is not known was not refused.');
  return ok(definition);
}

async function prepare(
  app: App,
  { merchantAccountId }: Viewer,
  definition: AntiFraudDefinition,
  { displayName, active, newerInterfaceEnabled, fallback, fields }: CreateAntiFraudServiceInput,
): Promise<StoredAntiFraudService> {
  const now = app.clock.now();
  const id = app.ids.uuid();
  return {
    merchantAccountId,
    id,
    definitionId: definition.id,
    displayName,
    active: active ?? true,
    newerInterfaceEnabled: newerInterfaceEnabled ?? false,
    fallback: fallback ?? 'accept',
    ...(await sealCredentials(app.vault, ownerOf({ merchantAccountId, id }), definition, fields)),
    webhookToken: newWebhookToken(app.ids),
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
