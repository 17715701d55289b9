import { z } from 'zod';
import type { HttpClient } from '../../platform/http-client.ts';
import { eventNamePatterns } from './names.ts';

/** What a new endpoint may be, with its defaults. */
export const createInput = (http: HttpClient) =>
  z.object({
    url: address(http),
    description: description.nullish().transform((text) => text ?? null),
    eventNames: eventNamePatterns.nullish().transform(distinct),
  });

/** What can be changed; null stands for left out, but for the description, which it clears. */
export const updateInput = (http: HttpClient) =>
  z.object({
    url: address(http).nullish(),
    description: description.nullish(),
    eventNames: eventNamePatterns.nullish().transform((names) => (names ? distinct(names) : undefined)),
    active: z.boolean().nullish(),
  });

export type CreateWebhookEndpointInput = {
  readonly url: string;
  readonly description?: string | null | undefined;
  readonly eventNames?: readonly string[] | null | undefined;
};

export type UpdateWebhookEndpointInput = Partial<{
  readonly [Key in keyof CreateWebhookEndpointInput]: CreateWebhookEndpointInput[Key] | null;
}> & {
  readonly active?: boolean | null | undefined;
};

const URL_LENGTH_MAX = 2_000;
const DESCRIPTION_LENGTH_MAX = 255;

const description = z.string().superRefine((text, context) => {
  const message = refuseDescription(text);
  if (message) context.addIssue({ code: 'custom', message });
});

function refuseDescription(text: string): string | null {
  // Counted in characters; the units are counted first, so that a huge text is not split up.
  if (text.length > 2 * DESCRIPTION_LENGTH_MAX || Array.from(text).length > DESCRIPTION_LENGTH_MAX) {
    return `Must be at most ${DESCRIPTION_LENGTH_MAX} characters.`;
  }
  // Postgres stores neither U+0000 nor half a surrogate pair.
  return CONTROL.test(text) || !text.isWellFormed() ? 'Must not hold control characters.' : null;
}

const CONTROL = /[\u0000-\u001f]/;

const address = (http: HttpClient) =>
  z.string().superRefine((text, context) => {
    const message = refuseAddress(http, text);
    if (message) context.addIssue({ code: 'custom', message });
  });

function refuseAddress(http: HttpClient, text: string): string | null {
  if (text.length < 1 || text.length > URL_LENGTH_MAX) return `Must be 1 to ${URL_LENGTH_MAX} characters.`;
  // A URL parser drops what is not visible; what is stored and shown must be what is called.
  if (/[^\u0021-\uffff]/.test(text) || !text.isWellFormed())
    return 'Must not hold spaces or control characters.';
  return http.refuseUrl(text);
}

const distinct = (names: readonly string[] | null | undefined): string[] => [...new Set(names)];
