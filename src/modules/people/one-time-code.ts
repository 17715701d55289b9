import { Secret, TOTP } from 'otpauth';
import type { App } from '../../app.ts';
import type { SealContext } from '../../platform/vault/vault.ts';
import type { Person } from './person.ts';

/** The length of the shared secret in bytes, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
const PERIOD_S = 30;

/** Draws a shared secret, in base32. */
export const newTotpSecret = ({ ids }: Pick<App, 'ids'>): string =>
  new Secret({ buffer: new Uint8Array(ids.random(SECRET_BYTES)).buffer }).base32;

/** Returns the address that an authenticator app reads from a QR code. */
export const totpAddress = (secret: string, { email, merchantAccountId }: Named): string =>
  totpOf(secret, `${email} (${merchantAccountId})`).toString();

type Named = Pick<Person, 'email' | 'merchantAccountId'>;

/**
 * Returns the number of a code at a moment. The code before and the code after count too, because clocks differ. Null for a wrong
 * code.
 */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = totpOf(secret).validate({ token: code, window: 1, timestamp });
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_S) + delta;
}

const totpOf = (secret: string, label = 'Paygraph'): TOTP =>
  new TOTP({
    ...{ issuer: 'Paygraph', label, algorithm: 'SHA1', digits: 6, period: PERIOD_S },
    secret: Secret.fromBase32(secret),
  });

/** Returns the place of a sealed shared secret. */
export const totpPlace = ({
  merchantAccountId,
  id,
}: Pick<Person, 'merchantAccountId' | 'id'>): SealContext => ({
  ...{ table: 'dashboard_person', column: 'sealed_totp', merchantAccountId, rowId: id },
});
