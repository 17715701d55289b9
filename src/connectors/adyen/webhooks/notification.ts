import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../../kernel/json.ts';

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

/** An item in another form. Its event is null if the item names none. */
export type UnreadItem = { readonly unread: true; readonly eventCode: string | null };

/** Reads the items of a webhook. Null for another body. */
export function readNotification(body: Buffer): readonly (AdyenEvent | UnreadItem)[] | null {
  const parsed = notification.safeParse(parseJson(body));
  if (!parsed.success) return null;
  return parsed.data.notificationItems.map(({ NotificationRequestItem: given }) => readItem(given));
}

function readItem(given: unknown): AdyenEvent | UnreadItem {
  const read = item.safeParse(given);
  if (!read.success) return { unread: true, eventCode: named.safeParse(given).data?.eventCode ?? null };
  const { additionalData, originalReference, ...rest } = read.data;
  return { ...rest, originalReference: originalReference || null, data: textsOf(additionalData ?? {}) };
}

const named = z.object({ eventCode: z.string() });

/** True for an item that was read. */
export const isRead = (event: AdyenEvent | UnreadItem): event is AdyenEvent => !('unread' in event);

const textsOf = (given: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** Reads a time of Adyen. Null for another text. */
export function timeOf(text: string | undefined): Date | null {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) ? null : time;
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

/** True if one of the keys signed the event. Digests of equal length are compared in constant time. */
export function isSigned(event: AdyenEvent, keys: readonly Buffer[]): boolean {
  const given = Buffer.from(event.data['hmacSignature'] ?? '', 'base64');
  return keys.some((key) => {
    const expected = createHmac('sha256', key).update(signedTextOf(event), 'utf8').digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The signed fields, with a colon between. A missing field is empty, and nothing is escaped. */
const signedTextOf = ({ amount, ...event }: AdyenEvent): string =>
  [
    ...[
      event.pspReference,
      event.originalReference ?? '',
      event.merchantAccountCode,
      event.merchantReference,
    ],
    ...[amount?.value ?? '', amount?.currency ?? '', event.eventCode, String(event.success)],
  ].join(':');
