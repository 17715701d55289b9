import type { TestServer } from '../support/server.ts';

/** The answer of a REST path. A body that is no JSON object is empty here. */
export type RestAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: RestBody;
  readonly text: string;
};

/** The members that tests read. The description of the API checks the whole body. */
export type RestBody = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly status: string | number;
  readonly reason: string;
  readonly items: readonly (Readonly<Record<string, unknown>> & { readonly id: string })[];
  readonly next_cursor: string | null;
  readonly previous_cursor: string | null;
};

export type RestOptions = {
  readonly token?: string | null;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends requests to the REST paths of a server with plain `fetch`. */
export type RestClient = (
  request: `${string} /${string}`,
  body?: unknown,
  options?: RestOptions,
) => Promise<RestAnswer>;

export const restClient =
  ({ url, token: own }: Pick<TestServer, 'url' | 'token'>, prefix = ''): RestClient =>
  async (request, sent, { token = own, key, headers = {} } = {}) => {
    const [method = 'GET', path = '/'] = request.split(' ');
    const response = await fetch(`${url}${prefix}${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent !== undefined && { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
    });
    const text = await response.text();
    const body = JSON.parse(text === '' ? '{}' : text) as RestBody;
    return { status: response.status, headers: response.headers, body, text };
  };
