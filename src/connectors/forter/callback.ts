import { createHash, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import {
  isUuid,
  ok,
  parseJson,
  refuse,
  type Result,
  type ReviewNotice,
  type ReviewRequest,
  type WebhookRefusal,
} from '../door.ts';
import { decisionOf } from './decision.ts';
import { looseText } from './loose-text.ts';

const callback = z.object({
  orderId: z.string(),
  action: z.string(),
  reasonCode: looseText,
});

/**
 * Reads a later decision. An order that is not ours, and an action without a decision, have no notice. The callback names
 * neither its event nor its time, so equal content is one event.
 */
export function readCallback(request: ReviewRequest): Result<readonly ReviewNotice[], WebhookRefusal> {
  if (!isSigned(request)) return refuse('bad_signature');
  const parsed = callback.safeParse(parseJson(String(request.rawBody)));
  if (!parsed.success) return refuse('unreadable');
  const { orderId, action, reasonCode = null } = parsed.data;
  const decision = decisionOf(action);
  if (!isUuid(orderId) || (decision !== 'accept' && decision !== 'reject')) return ok([]);
  return ok([
    {
      eventKey: `sha256:${digest(JSON.stringify(parsed.data)).toString('base64url')}`,
      interfaceVersion: 'callback',
      key: orderId.toLowerCase(),
      reference: null,
      decision,
      comment: reasonCode,
      occurredAt: null,
    },
  ]);
}

/**
 * True if the secret key signed the callback for this site. The signature is a plain digest over key, token, site id and
 * body. The known receiver of Forter's callbacks takes the body as PHP writes it again, so both forms count.
 */
function isSigned({ headers, credentials, rawBody }: ReviewRequest): boolean {
  const { site_id: siteId = '', api_key: key = '' } = credentials;
  const token = headers['x-forter-token'] ?? '';
  const given = /^[0-9a-f]{64}$/i.exec(headers['x-forter-signature'] ?? '')?.[0];
  if (given === undefined || token === '' || key === '') return false;
  if (!timingSafeEqual(digest(headers['x-forter-siteid'] ?? ''), digest(siteId))) return false;
  const raw = String(rawBody);
  const signed = [raw, rewritten(raw)].map((body) => digest(`${key}${token}${siteId}${body}`));
  return signed.some((expected) => timingSafeEqual(expected, Buffer.from(given, 'hex')));
}

/** Writes JSON as PHP does: without spaces, with escaped slashes, and in ASCII alone. Other text stays. */
function rewritten(body: string): string {
  const parsed = parseJson(body);
  if (parsed === null) return body;
  return JSON.stringify(parsed)
    .replaceAll('/', '\\/')
    .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
