import { createClient } from '../../client/operations/client.ts';
import { addressOf, OWN_PAGE } from './session.ts';

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
