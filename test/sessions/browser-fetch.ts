import type { TestServer } from '../support/server.ts';

/** The headers of a request by a page of the dashboard, without a cookie. */
export const pageOf = ({ url }: Pick<TestServer, 'url'>, cookie?: string): Record<string, string> => ({
  origin: url,
  'x-paygraph-dashboard': '1',
  ...(cookie !== undefined && { cookie }),
});

/** Asks for a session as a page does. */
export const postSession = (
  server: Pick<TestServer, 'url'>,
  headers: Record<string, string>,
): Promise<Response> => fetch(`${server.url}/dashboard/session`, { method: 'POST', headers });

/** Returns the cookie of an answer as a browser sends it back. */
export const cookieOf = (response: Response): string =>
  response.headers.get('set-cookie')?.split(';')[0] ?? '';

/** Signs in as a page does, and returns the cookie. */
export const signIn = async (server: Pick<TestServer, 'url'>): Promise<string> =>
  cookieOf(await postSession(server, pageOf(server)));

/** Asks the API with a cookie and without a token. */
export const askAs = (
  server: TestServer,
  headers: Record<string, string>,
  query = '{ transactions { nodes { id } } }',
) => server.graphql(query, {}, { token: null, headers });
