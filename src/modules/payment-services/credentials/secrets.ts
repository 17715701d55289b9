import type { SealContext, Vault } from '../../../platform/vault/vault.ts';
import type { Field } from '../model/fields.ts';

/** The owner of secrets. The sealed text is bound to its owner and opens for no other. */
export type SecretOwner = {
  readonly table: 'payment_service' | 'anti_fraud_service';
  readonly merchantAccountId: string;
  readonly id: string;
};

/** Seals secret fields as one JSON object. Returns null without fields. */
export async function sealSecrets(
  vault: Vault,
  owner: SecretOwner,
  fields: readonly Field[],
): Promise<string | null> {
  if (fields.length === 0) return null;
  const clear = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
  return await vault.seal(contextOf(owner), JSON.stringify(clear));
}

/** Opens the text that `sealSecrets` returned. The answer is in clear: never store, log or return it. */
export async function openSecrets(
  vault: Vault,
  owner: SecretOwner,
  sealed: string | null,
): Promise<readonly Field[]> {
  if (sealed === null) return [];
  const clear: unknown = JSON.parse(await vault.open(contextOf(owner), sealed));
  return Object.entries(clear ?? {}).map(([key, value]) => ({ key, value: String(value) }));
}

/** Returns a digest that only tells two values of one secret apart, for the record of an idempotency key. */
export const secretDigest = (
  vault: Vault,
  { table, merchantAccountId }: Omit<SecretOwner, 'id'>,
  { key, value }: Field,
): Promise<string> => vault.fingerprint(merchantAccountId, `${table}.fields.${key}:${value}`);

const contextOf = ({ table, merchantAccountId, id }: SecretOwner): SealContext => ({
  merchantAccountId,
  table,
  column: 'sealed_fields',
  rowId: id,
});
