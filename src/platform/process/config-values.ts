import { isIP } from 'node:net';
import { z } from 'zod';
import { readAddress } from './database-address.ts';

/** One of some words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
/** A word for yes or no. */
export const flag = oneOf(['true', 'false']).transform((word) => word === 'true');
/** A path such as /api, kept without a slash at its end. */
export const restPath = z
  .string()
  .regex(/^(?:off|\/|(?:\/[a-z0-9][a-z0-9-]*)+)$/, 'must be off, /, or a path such as /api')
  .transform((path) => (path === 'off' ? null : path.replace(/\/$/, '')));
/** Values with a comma between. Spaces around a value are removed. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);
/** A whole number within bounds. */
export const wholeNumber = (min: number, max: number) => {
  const sentence = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(sentence).int(sentence).min(min, sentence).max(max, sentence);
};

/** Null for `off`. The word is not 0, because 0 could be read as "remove at once". */
export const wholeNumberOrOff = (min: number, max: number) => {
  const sentence = `must be a whole number from ${min} to ${max}, or off`;
  return z
    .string()
    .refine(
      (text) => text === 'off' || (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max),
      sentence,
    )
    .transform((text) => (text === 'off' ? null : Number(text)));
};

/** True for an IP address, or for a network such as 10.0.0.0/8. */
export const isAddressOrNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (most < 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
};

/** A rule that gives the people of a group a role. */
export const GROUP_ROLE = /^.+=(owner|developer|support|analyst)(@[a-zA-Z0-9-]{1,50})?$/;

const REFUND_LIMIT = /^([A-Z]{3}|\*):(\d{1,8})$/;
const currencyOf = (limit: string): string => limit.split(':')[0] ?? '';

/** Limits such as EUR:50000,*:0 as amounts by currency. */
export const refundLimits = list
  .refine(
    (limits) =>
      limits.every((limit) => REFUND_LIMIT.test(limit)) &&
      new Set(limits.map(currencyOf)).size === limits.length,
    'must be limits such as EUR:50000 or *:0, one for each currency, with a comma between',
  )
  .transform((limits): Readonly<Record<string, number>> =>
    Object.fromEntries(limits.map((limit) => [currencyOf(limit), Number(limit.split(':')[1])])),
  );

/** The address of Postgres, with one host or several. */
export const databaseAddress = z.string().check(({ value, issues }) => {
  if (readAddress(value)) return;
  const attribute = value.includes('target_session_attrs=');
  const form = 'postgresql://user:password@host:5432/database, with a comma between several hosts';
  const message = attribute
    ? `must be an address such as ${form}. Its target_session_attrs may be read-write or primary`
    : `must be an address such as ${form}`;
  issues.push({ code: 'custom', message, input: value });
});
