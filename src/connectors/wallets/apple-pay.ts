import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import type { Credentials } from '../interface/call-context.ts';
import type { DefinitionField } from '../interface/definition.ts';

/** The merchant at Apple, with the certificate that proves the merchant to Apple. Holds a secret: never log or return it. */
export type ApplePayMerchant = {
  readonly merchantId: string;
  /** The country of the merchant, ISO 3166-1. */
  readonly countryCode: string;
  /** The merchant identity certificate and its private key, in PEM. */
  readonly identity: { readonly certificate: string; readonly key: string };
};

const KEYS = {
  merchantId: 'apple_pay_merchant_id',
  countryCode: 'apple_pay_country_code',
  certificate: 'apple_pay_certificate',
  privateKey: 'apple_pay_private_key',
} as const;

type FieldKey = (typeof KEYS)[keyof typeof KEYS];

const field = (key: FieldKey, displayName: string, more: Partial<DefinitionField> = {}): DefinitionField => ({
  key,
  displayName,
  required: false,
  format: 'text',
  secret: false,
  ...more,
});

/** The fields of the merchant at Apple. With all of these fields, the page of a payment link offers Apple Pay. */
export const applePayFields: readonly DefinitionField[] = [
  field(KEYS.merchantId, 'Merchant ID at Apple Pay'),
  field(KEYS.countryCode, 'Country of the merchant at Apple Pay'),
  field(KEYS.certificate, 'Merchant identity certificate of Apple Pay', {
    format: 'multiline',
    secret: true,
  }),
  field(KEYS.privateKey, 'Private key of the certificate of Apple Pay', {
    format: 'multiline',
    secret: true,
  }),
];

/** True if a key is one of the fields. */
export const isApplePayField = (key: string): boolean => applePayFields.some((each) => each.key === key);

/** A field with a mistake, and a sentence about the mistake. The sentence holds no value of a field. */
export type ApplePayMistake = { readonly key: string; readonly sentence: string };

/** Lists the mistakes of the fields together, with the stored ones. Without any of the fields there is none. */
export function applePayMistakes(fields: Credentials, now: Date): readonly ApplePayMistake[] {
  const missing = applePayFields.filter(({ key }) => !fields[key]);
  if (missing.length === applePayFields.length) return [];
  if (missing.length > 0)
    return missing.map(({ key }) => ({ key, sentence: `Apple Pay needs ${key} too. ${ALL_OR_NONE}` }));
  const { [KEYS.merchantId]: merchantId = '', [KEYS.countryCode]: countryCode = '' } = fields;
  const certificate = readCertificate(fields[KEYS.certificate] ?? '');
  const key = readKey(fields[KEYS.privateKey] ?? '');
  const mistakes: Readonly<Record<FieldKey, string | false | null>> = {
    [KEYS.merchantId]: !/^[\w.-]{1,255}$/.test(merchantId) && 'Must be an id such as merchant.com.example.',
    [KEYS.countryCode]: !/^[A-Z]{2}$/.test(countryCode) && 'Must be an ISO 3166-1 code such as US.',
    [KEYS.certificate]: certificate ? refuseTime(certificate, now) : NO_CERTIFICATE,
    [KEYS.privateKey]: key ? certificate && !certificate.checkPrivateKey(key) && OTHER_KEY : NO_KEY,
  };
  return Object.entries(mistakes).flatMap(([name, sentence]) => (sentence ? [{ key: name, sentence }] : []));
}

/** Returns the merchant at Apple. Null without the fields, and after the end of the certificate. */
export function applePayMerchant(fields: Credentials, now: Date): ApplePayMerchant | null {
  const { [KEYS.merchantId]: merchantId, [KEYS.countryCode]: countryCode } = fields;
  const { [KEYS.certificate]: certificate, [KEYS.privateKey]: key } = fields;
  if (!merchantId || !countryCode || !certificate || !key) return null;
  return applePayMistakes(fields, now).length > 0
    ? null
    : { merchantId, countryCode, identity: { certificate, key } };
}

const ALL_OR_NONE = `Set ${applePayFields.map(({ key }) => key).join(', ')} together, or clear all of them.`;
const NO_CERTIFICATE =
  'Must be a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----. Convert the .cer file of Apple with openssl x509 -inform der.';
const NO_KEY =
  'Must be a private key in PEM without a passphrase, which begins with -----BEGIN PRIVATE KEY-----.';
const OTHER_KEY = `Must be the private key of the certificate in ${KEYS.certificate}.`;

function refuseTime({ validFromDate, validToDate }: X509Certificate, now: Date): string | null {
  if (validToDate <= now)
    return `The certificate ended on ${dayOf(validToDate)}. Create a new merchant identity certificate at Apple.`;
  return validFromDate > now ? `The certificate begins on ${dayOf(validFromDate)}. Set it then.` : null;
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Reads the first certificate of a text in PEM. */
function readCertificate(pem: string): X509Certificate | null {
  if (!pem.includes('-----BEGIN CERTIFICATE-----')) return null;
  return readOrNull(() => new X509Certificate(pem));
}

const readKey = (pem: string): KeyObject | null => readOrNull(() => createPrivateKey(pem));

function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
