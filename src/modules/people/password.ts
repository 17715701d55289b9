// A default import, because an older Node lacks the function. Only its use fails there.
import crypto from 'node:crypto';
import pLimit from 'p-limit';
import type { App } from '../../app.ts';

/** The parameters of argon2id that OWASP recommends: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Each digest keeps a thread busy, and requests need the other threads. */
const atOnce = pLimit(2);

/** Returns the digest of a password in the PHC form, with a salt of its own. */
export async function hashPassword({ ids }: Pick<App, 'ids'>, password: string): Promise<string> {
  const salt = ids.random(SALT_BYTES);
  const tag = await digest(password, { salt, ...COST });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${encode(salt)}$${encode(tag)}`;
}

/**
 * Returns true if the password has this digest. A null digest matches no password and takes the same time. The time therefore does
 * not tell whether a person exists.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const parsed = PHC.exec(stored ?? NOBODY);
  const [, memory = '', passes = '', parallelism = '', salt = '', expected = ''] = parsed ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const tag = await digest(password, { salt: Buffer.from(salt, 'base64'), ...cost });
  return crypto.timingSafeEqual(tag, Buffer.from(expected, 'base64')) && stored !== null;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]{43})$/;

const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

type Cost = typeof COST & { readonly salt: Buffer };

const digest = (password: string, { salt, ...cost }: Cost): Promise<Buffer> =>
  atOnce(
    () =>
      new Promise((resolve, reject) => {
        // Equal passwords have equal bytes on every keyboard.
        const message = Buffer.from(password.normalize('NFKC'), 'utf8');
        crypto.argon2('argon2id', { message, nonce: salt, tagLength: TAG_BYTES, ...cost }, (error, derived) =>
          error ? reject(error) : resolve(Buffer.from(derived)),
        );
      }),
  );

/** The longest accepted password. Longer texts would cost time before anybody is known. */
export const PASSWORD_MAX = 256;

const PASSWORD_MIN = 12;

/** Returns why nobody may have this password, as a sentence. Null for a good one. */
export function refusePassword(password: string, email: string): string | null {
  const { length } = Array.from(password);
  if (length < PASSWORD_MIN || length > PASSWORD_MAX)
    return `The password must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`;
  const lower = password.toLowerCase();
  const [name = ''] = email.split('@');
  if (new Set(lower).size < 5 || lower.includes(name) || /^(password|paygraph|qwert|12345)/.test(lower))
    return 'The password is too easy to guess. Take several words that do not belong together.';
  return null;
}
