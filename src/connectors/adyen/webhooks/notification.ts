import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isObject, parseJson, textsIn } from '../../door.ts';

/** A text that may be absent. Adyen writes null for some absent texts. */
const maybe = z
  .string()
  .max(255)
  .nullish()
  .transform((given) => given ?? '');

/** One item of a webhook. Adyen writes flags as text. */
const item = z.object({
  eventCode: z.string().min(1).max(100),
  success: z.union([z.enum(['true', 'false']).transform((flag) => flag === 'true'), z.boolean()]),
  pspReference: z.string().min(1).max(255),
  originalReference: maybe,
  merchantAccountCode: maybe,
  merchantReference: maybe,
  amount: z
    .object({ value: z.int(), currency: z.string() })
    .nullish()
    .transform((given) => given ?? undefined),
  eventDate: z.string().optional().catch(undefined),
  reason: z.string().nullable().optional().catch(undefined),
  additionalData: z.record(z.string(), z.unknown()).nullable().optional(),
});

const notification = z.object({
  notificationItems: z.array(z.object({ NotificationRequestItem: z.unknown() })).min(1),
});

type Item = z.output<typeof item>;

/** One event of Adyen, with texts alone in `data`. */
export type AdyenEvent = Omit<Item, 'additionalData' | 'originalReference'> & {
  /** Adyen's id of the payment that a change belongs to. Null for an event of a payment itself. */
  readonly originalReference: string | null;
  readonly data: Readonly<Record<string, string>>;
};

/** Returns the items of a webhook in any form. Null for another body. */
export function itemsOf(body: string): readonly unknown[] | null {
  const parsed = notification.safeParse(parseJson(body)).data;
  return parsed?.notificationItems.map(({ NotificationRequestItem: given }) => given) ?? null;
}

/** Writes a body with one item, as Adyen would. */
export const bodyOf = (given: unknown): string =>
  JSON.stringify({ notificationItems: [{ NotificationRequestItem: given }] });

/** Reads an item. Null for an item in another form. */
export function readItem(given: unknown): AdyenEvent | null {
  const read = item.safeParse(given).data;
  if (!read) return null;
  const { additionalData, originalReference, ...rest } = read;
  return { ...rest, originalReference: originalReference || null, data: textsIn(additionalData ?? {}) };
}

/** The names of an item in any form. Null for a name that the item lacks. */
export type ItemNames = { readonly eventCode: string | null; readonly merchantAccountCode: string | null };

/** Returns the names of an item in any form. */
export function namesOf(given: unknown): ItemNames {
  const names = isObject(given) ? given : {};
  const textOf = (name: keyof ItemNames): string | null => {
    const text = names[name];
    return typeof text === 'string' ? text : null;
  };
  return { eventCode: textOf('eventCode'), merchantAccountCode: textOf('merchantAccountCode') };
}

/**
 * Reads the keys of the field `hmac_key`, with a space or a comma between. Each of Adyen's two webhooks has one key, and two
 * keys during a change. Null for a text that is not in hexadecimal digits.
 */
export function hmacKeysOf(text: string | undefined): readonly Buffer[] | null {
  const keys = (text ?? '').split(/[\s,]+/).filter(Boolean);
  const isUsable = keys.length >= 1 && keys.length <= KEYS_MAX && keys.every((key) => HMAC_KEY.test(key));
  return isUsable ? keys.map((key) => Buffer.from(key, 'hex')) : null;
}

const KEYS_MAX = 4;

/** Whole bytes, at least 16 of them. Adyen makes keys of 32 bytes. */
const HMAC_KEY = /^(?:[0-9a-f]{2}){16,64}$/i;

/** True if one of the keys signed an item in any form. Digests of equal length are compared in constant time. */
export function isSigned(given: unknown, keys: readonly Buffer[]): boolean {
  const { additionalData: data, ...fields } = isObject(given) ? given : {};
  const signature = isObject(data) ? data['hmacSignature'] : null;
  if (typeof signature !== 'string') return false;
  const bytes = Buffer.from(signature, 'base64');
  return keys.some((key) => {
    const expected = createHmac('sha256', key).update(signedTextOf(fields), 'utf8').digest();
    return bytes.length === expected.length && timingSafeEqual(bytes, expected);
  });
}

/** The signed fields, with a colon between. A missing field is empty, and nothing is escaped. */
function signedTextOf(fields: Readonly<Record<string, unknown>>): string {
  const amount = isObject(fields['amount']) ? fields['amount'] : {};
  return [
    ...[fields['pspReference'], fields['originalReference'], fields['merchantAccountCode']],
    ...[fields['merchantReference'], amount['value'], amount['currency']],
    ...[fields['eventCode'], fields['success']],
  ]
    .map((field) => (SIGNED.has(typeof field) ? String(field) : ''))
    .join(':');
}

const SIGNED: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
