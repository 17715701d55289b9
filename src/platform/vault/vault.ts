import { createHmac } from 'node:crypto';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { decrypt, encrypt, IV_BYTES } from './aead.ts';
import { createDataKeys, type DataKeys, type DataKeySettings } from './data-keys.ts';
import type { SealContext } from './sealed-columns.ts';

export type { SealContext } from './sealed-columns.ts';

/** The only part that sees card numbers and secrets in clear at rest. */
export type Vault = {
  /** Encrypts a text for one row and column. The answer names the key version and is safe to store. */
  seal(context: SealContext, clear: string): Promise<string>;
  /** Decrypts; throws when the text was made for another row, column or merchant account, or was changed. */
  open(context: SealContext, sealed: string): Promise<string>;
  /** Keyed digest of a value, the same for one merchant account and different between two. Hex, 64 characters. */
  fingerprint(merchantAccountId: string, value: string): Promise<string>;
};

const VERSION = 'v1';

/**
 * A vault over the data keys in the database. A sealed text is `v1.<data key id>.<iv>.<ciphertext>.<tag>`: `v1` is the
 * version of this form, the id names one version of the merchant account's data key. The newest version seals, older
 * ones open until a rotation has retired them. Fingerprints have one key for ever, because a digest cannot be made anew.
 * A merchant account's first use stores its key on a connection of its own: do not call it inside a transaction,
 * which would hold one connection while waiting for another.
 */
export function createVault(settings: DataKeySettings): Vault {
  const dataKeys = createDataKeys(settings);
  return {
    seal: async (context, clear) => {
      const { id, key } = await dataKeys.current(context.merchantAccountId, 'data');
      const iv = settings.ids.random(IV_BYTES);
      return `${VERSION}.${id}.${encrypt(key, placeOf(id, context), Buffer.from(clear, 'utf8'), iv)}`;
    },
    open: async (context, sealed) => {
      const opened = await openSealed(dataKeys, context, sealed);
      if (!opened.ok) throw new Error(opened.refusals[0]);
      return opened.value;
    },
    fingerprint: async (merchantAccountId, value) => {
      const { key } = await dataKeys.current(merchantAccountId, 'fingerprint');
      return createHmac('sha256', key).update(value, 'utf8').digest('hex');
    },
  };
}

/** Opens, or says as a sentence what is wrong with the text. Throws only when a key could not be read. */
export async function openSealed(
  dataKeys: DataKeys,
  context: SealContext,
  sealed: string,
): Promise<Result<string, string>> {
  const [version = '', id = '', ...rest] = sealed.split('.');
  if (version !== VERSION) return refuse('A sealed value has a version that this program does not know.');
  const dataKey = await dataKeys.byId(context.merchantAccountId, id);
  if (!dataKey)
    return refuse(
      'A sealed value names a data key that its merchant account does not have, or that is retired.',
    );
  const clear = decrypt(dataKey.key, placeOf(id, context), rest.join('.'));
  if (clear) return ok(clear.toString('utf8'));
  return refuse(`A sealed value of ${context.table}.${context.column} was changed or belongs elsewhere.`);
}

/** The id is bound too: the database takes a UUID in either case, a sealed text only as it was written. */
const placeOf = (id: string, { table, column, rowId, merchantAccountId }: SealContext): readonly string[] => [
  VERSION,
  id,
  table,
  column,
  rowId,
  merchantAccountId,
];
