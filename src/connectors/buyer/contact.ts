import { domainToASCII } from 'node:url';
import { isValidPhoneNumber } from 'libphonenumber-js/min';

/** The part before the sign, as every provider takes it. Quoted and international parts are refused by some. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^(${LABEL}\\.)+${LABEL}$`, 'i');

/** The longest parts of an address that mail servers take (RFC 5321). */
const LOCAL_MAX = 64;
const EMAIL_MAX = 254;

/** Returns an email address with its domain in ASCII. Null if a provider would refuse the address. */
export function fitEmail(email: string | null): string | null {
  const at = email?.lastIndexOf('@') ?? -1;
  if (email === null || at < 1) return null;
  const local = email.slice(0, at);
  const given = email.slice(at + 1);
  // An ASCII domain stays as the merchant wrote it.
  const domain = DOMAIN.test(given) ? given : domainToASCII(given);
  const fitted = `${local}@${domain}`;
  if (local.length > LOCAL_MAX || fitted.length > EMAIL_MAX) return null;
  return LOCAL_PART.test(local) && DOMAIN.test(domain) ? fitted : null;
}

/** Returns a phone number in E.164 form. Null if no numbering plan has the number. */
export const fitPhone = (phone: string | null): string | null =>
  phone !== null && isValidPhoneNumber(phone) ? phone : null;
