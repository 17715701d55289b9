import { z } from 'zod';
import type { HttpClient } from '../../../platform/http/http-client.ts';
import {
  AUTHORIZATION_TWICE,
  basicAuthentication,
  setsAuthorizationTwice,
  webhookHeaders,
  type BasicAuthentication,
  type WebhookHeader,
} from './input-credentials.ts';
import { eventNamePatterns } from '../feed/names.ts';
import { WEBHOOK_BODY_FORMATS, type WebhookBodyFormat } from './webhook-endpoint.ts';

/** Returns the schema of a new endpoint, with defaults. */
export const createInput = (http: HttpClient) =>
  z
    .object({
      url: address(http),
      description: description.nullish().transform((text) => text ?? null),
      eventNames: eventNamePatterns.nullish().transform(distinct),
      bodyFormat: bodyFormat.nullish().transform((format) => format ?? 'paygraph'),
      headers: webhookHeaders.nullish().transform((headers) => headers ?? []),
      basicAuthentication: basicAuthentication.nullish().transform((basic) => basic ?? null),
      autoDisable: z
        .boolean()
        .nullish()
        .transform((auto) => auto ?? false),
    })
    .superRefine(oneAuthorization);

/** Returns the schema of an update. Null counts as absent, except for the fields that null clears. */
export const updateInput = (http: HttpClient) =>
  z
    .object({
      url: address(http).nullish(),
      description: description.nullish(),
      eventNames: eventNamePatterns.nullish().transform((names) => (names ? distinct(names) : undefined)),
      headers: webhookHeaders.nullish().transform((headers) => (headers === null ? [] : headers)),
      basicAuthentication: basicAuthentication.nullish(),
      bodyFormat: bodyFormat.nullish(),
      autoDisable: z.boolean().nullish(),
      active: z.boolean().nullish(),
    })
    .superRefine(oneAuthorization);

/** Checks one input. The store checks the input against stored fields. */
function oneAuthorization(
  { headers, basicAuthentication }: Partial<CredentialInput>,
  context: z.RefinementCtx,
): void {
  const names = (headers ?? []).map(({ name }) => name);
  if (setsAuthorizationTwice(names, basicAuthentication?.username ?? null))
    context.addIssue({ code: 'custom', path: ['headers'], message: AUTHORIZATION_TWICE });
}

type CredentialInput = {
  readonly headers: readonly WebhookHeader[] | null | undefined;
  readonly basicAuthentication: BasicAuthentication | null | undefined;
};

export type CreateWebhookEndpointInput = Partial<CredentialInput> & {
  readonly url: string;
  readonly description?: string | null | undefined;
  readonly eventNames?: readonly string[] | null | undefined;
  readonly bodyFormat?: WebhookBodyFormat | null | undefined;
  readonly autoDisable?: boolean | null | undefined;
};

export type UpdateWebhookEndpointInput = Partial<{
  readonly [Key in keyof CreateWebhookEndpointInput]: CreateWebhookEndpointInput[Key] | null;
}> & {
  readonly active?: boolean | null | undefined;
};

const bodyFormat = z.enum(WEBHOOK_BODY_FORMATS);

const URL_LENGTH_MAX = 2_000;
const DESCRIPTION_LENGTH_MAX = 255;

const description = z.string().superRefine((text, context) => {
  const message = refuseDescription(text);
  if (message) context.addIssue({ code: 'custom', message });
});

function refuseDescription(text: string): string | null {
  // The limit is in characters. Code units are counted first, so that a huge text is not split.
  if (text.length > 2 * DESCRIPTION_LENGTH_MAX || Array.from(text).length > DESCRIPTION_LENGTH_MAX) {
    return `Must be at most ${DESCRIPTION_LENGTH_MAX} characters.`;
  }
  // Postgres stores neither U+0000 nor half a surrogate pair.
  return CONTROL.test(text) || !text.isWellFormed() ? 'Must not contain control characters.' : null;
}

const CONTROL = /[\u0000-\u001f]/;

const address = (http: HttpClient) =>
  z.string().superRefine((text, context) => {
    const message = refuseAddress(http, text);
    if (message) context.addIssue({ code: 'custom', message });
  });

function refuseAddress(http: HttpClient, text: string): string | null {
  if (text.length < 1 || text.length > URL_LENGTH_MAX) return `Must be 1 to ${URL_LENGTH_MAX} characters.`;
  // A URL parser drops invisible characters. The stored and shown URL must be the called URL.
  if (/[^\u0021-\uffff]/.test(text) || !text.isWellFormed())
    return 'Must not contain spaces or control characters.';
  return http.refuseUrl(text);
}

const distinct = (names: readonly string[] | null | undefined): string[] => [...new Set(names)];
