import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';

/** A header of every request to an endpoint. */
export type WebhookHeader = { readonly name: string; readonly value: string };

/** The credentials of RFC 7617. */
export type BasicAuthentication = { readonly username: string; readonly password: string };

const HEADER_MAX = 20;
const NAME_LENGTH_MAX = 100;
const VALUE_LENGTH_MAX = 1_000;
const BASIC_LENGTH_MAX = 255;

/** The merchant's own headers. Reserved names are refused. Each name is unique, whatever its case. */
export const webhookHeaders = z
  .array(
    z.object({
      name: z.string().superRefine((name, context) => complain(context, refuseName(name))),
      value: z.string().superRefine((value, context) => complain(context, refuseValue(value))),
    }),
  )
  .max(HEADER_MAX, `Give at most ${HEADER_MAX}.`)
  .superRefine((headers, context) => {
    const names = headers.map(({ name }) => name.toLowerCase());
    names.forEach((name, index) => {
      if (names.indexOf(name) === index) return;
      context.addIssue({ code: 'custom', path: [index, 'name'], message: 'Give each name once.' });
    });
  });

export const basicAuthentication = z.object({
  username: text(1, BASIC_LENGTH_MAX).refine(
    (name) => !/[:\u0000-\u001f\u007f]/.test(name),
    'Must contain neither a colon nor control characters.',
  ),
  password: text(0, BASIC_LENGTH_MAX).refine(
    (password) => !/[\u0000-\u001f\u007f]/.test(password),
    'Must not contain control characters.',
  ),
});

/** The message for a header `authorization` beside basic authentication. */
export const AUTHORIZATION_TWICE =
  'Must not contain authorization beside basicAuthentication, which sets it.';

/** Returns true if headers and basic authentication would both set `authorization`. */
export const setsAuthorizationTwice = (
  headerNames: readonly string[],
  basicAuthenticationUsername: string | null,
): boolean =>
  basicAuthenticationUsername !== null && headerNames.some((name) => name.toLowerCase() === 'authorization');

/**
 * Reserved names: headers that Paygraph sets, headers of the connection, and headers that would misdescribe the body.
 */
const RESERVED = new Set([
  'host',
  'user-agent',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'http2-settings',
  'expect',
  'accept-encoding',
]);

/** A token of RFC 9110. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function refuseName(name: string): string | null {
  if (name.length < 1 || name.length > NAME_LENGTH_MAX) return `Must be 1 to ${NAME_LENGTH_MAX} characters.`;
  if (!TOKEN.test(name)) return "Must be an HTTP header name: letters, digits and !#$%&'*+-.^_`|~ only.";
  const lower = name.toLowerCase();
  return RESERVED.has(lower) || lower.startsWith('webhook-')
    ? 'Is set by Paygraph or belongs to the connection. Choose another name.'
    : null;
}

/** Refuses all but printable ASCII. Other characters reach a receiver in an unknown encoding, or not at all. */
function refuseValue(value: string): string | null {
  if (value.length < 1 || value.length > VALUE_LENGTH_MAX)
    return `Must be 1 to ${VALUE_LENGTH_MAX} characters.`;
  if (!/^[\u0020-\u007e]*$/.test(value)) return 'Must be ASCII without control characters.';
  // Spaces at the ends are no part of a value (RFC 9110) and would not arrive.
  return value.trim() === value ? null : 'Must not begin or end with a space.';
}

function complain(context: z.RefinementCtx<string>, message: string | null): void {
  if (message) context.addIssue({ code: 'custom', message });
}
