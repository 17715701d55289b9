import { createClient } from '../../../client/operations/client.ts';
import { addressOf, OWN_PAGE } from '../session.ts';

/** The public API. The browser's session identifies the caller, so no token is sent. */
export const api = createClient({
  url: addressOf('graphql'),
  token: () => null,
  retries: 2,
  fetch: (url, options = {}) => {
    const headers = new Headers(options.headers);
    for (const [name, value] of Object.entries(OWN_PAGE)) headers.set(name, value);
    return fetch(url, { ...options, headers });
  },
});

/** Returns the id of a new record. Each mutation without a refusal has one. */
export function idOf(id: string | null): string {
  if (id === null) throw new Error('A record was neither created nor refused.');
  return id;
}

/** True for the form of an id. A filter refuses every other text. */
export const isUuid = (text: string): boolean => UUID.test(text);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
