import { createHmac } from 'node:crypto';
import { ok, refuse, type Result } from '../../kernel/result.ts';
import { decrypt, encrypt, IV_BYTES } from './aead.ts';
import { createDataKeys, type DataKeys, type DataKeySettings } from './data-keys.ts';
import type { SealContext } from './sealed-columns.ts';

export type { SealContext } from './sealed-columns.ts';

/** The vault. Only the vault sees stored card numbers and secrets in clear. */
export type Vault = {
  /** Encrypts a text for one row and column. The result names the key version and is safe to store. */
  seal(context: SealContext, clear: string): Promise<string>;
  /** Decrypts a text. Throws when the text was changed, or belongs to another row, column or merchant account. */
  open(context: SealContext, sealed: string): Promise<string>;
  /**
   * Returns a keyed digest of a value in hex, 64 characters. The digest is stable for one merchant account and differs between
   * two.
   */
  fingerprint(merchantAccountId: string, value: string): Promise<string>;
};

const VERSION = 'v1';

/**
 * Creates a vault over the data keys in the database. A sealed text is `v1.<data key id>.<iv>.<ciphertext>.<tag>`. The
 * first part is the version of this form. The id names one version of the merchant account's data key.
 *
 * The newest version seals. Older versions open until a rotation retires them. Fingerprints have one key for ever,
 * because a digest cannot be recomputed.
 *
 * The first use of a merchant account stores its key on a separate connection. Do not call the vault inside a
 * transaction, which would hold one connection and wait for another.
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

/** Opens a sealed text, or returns a sentence about its fault. Throws only when a key is unreadable. */
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

/**
 * The id is bound too. The database takes a UUID in either case, but a sealed text opens only with the original
 * spelling.
 */
const placeOf = (id: string, { table, column, rowId, merchantAccountId }: SealContext): readonly string[] => [
  VERSION,
  id,
  table,
  column,
  rowId,
  merchantAccountId,
];
