import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto';
import { equalTexts } from '../equal-texts.ts';

/** A pair of keys of one move, as text. The private key stays in the source. */
export type MoveKeys = { readonly privateKey: string; readonly publicKey: string };

/** Creates the keys of a move. */
export function createMoveKeys(): MoveKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
  };
}

/** An import as both cells know it: its random id, and the digest over its rows. */
export type Arrival = { readonly target: string; readonly rowsDigest: string };

/** Returns the receipt of an import. It names the import, and proves that the target has the rows. */
export const receiptOf = ({ target, rowsDigest }: Arrival): string =>
  `${target}.${digestOf(`${target} ${rowsDigest}`)}`;

/** Returns the id of the import that a receipt is of. Null if the receipt is not of these rows. */
export function targetOf(receipt: string, rowsDigest: string): string | null {
  const target = receipt.split('.', 1)[0] ?? '';
  return equalTexts(receipt, receiptOf({ target, rowsDigest })) ? target : null;
}

/** One import of a move. */
export type Opening = { readonly move: string; readonly target: string };

/** Returns the key that opens one import of a move, and no other. The same import gets the same key. */
export function keyOf(opening: Opening, privateKey: string): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' });
  return sign(null, signed(opening), key).toString('base64url');
}

/** Returns true if a key opens this import of a move. */
export function isKeyOf(key: string, opening: Opening, publicKey: string): boolean {
  const verifier = createPublicKey({ key: Buffer.from(publicKey, 'base64url'), format: 'der', type: 'spki' });
  return verify(null, signed(opening), verifier, Buffer.from(key, 'base64url'));
}

const signed = ({ move, target }: Opening): Buffer => Buffer.from(`open ${move} ${target}`);

/** Returns the text that the target prints after it opened an import. */
export const confirmationOf = (key: string, receipt: string): string => digestOf(`opened ${key} ${receipt}`);

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
