import type { ExecutionResult } from 'graphql';

export type HiveGatewaySettings = {
  readonly supergraphSdl: string;
  /** Address of each subgraph by name. */
  readonly urls: Readonly<Record<string, string>>;
  /** The headers of every request to a subgraph. */
  readonly headers?: Headers;
};

type Headers = Readonly<Record<string, string>>;

/** The headers of a request come from the client. */
export type HiveGateway = {
  query(
    text: string,
    variables?: Readonly<Record<string, unknown>>,
    headers?: Headers,
  ): Promise<ExecutionResult>;
  /** Yields the answers of a subscription. The return of the generator ends the subscription. */
  subscribe(text: string, headers?: Headers): AsyncGenerator<ExecutionResult>;
  /** Answers a request of a client, which may go to any host. */
  fetch(url: string, request: RequestInit): Promise<Response>;
  close(): Promise<void>;
};

/** The used part of the router's package. Its own types are missing until the package is installed. */
type Package = {
  readonly createGatewayRuntime: (settings: object) => AsyncDisposable & {
    fetch(url: string, request: RequestInit): Promise<Response>;
  };
};

const PACKAGE: string = '@graphql-hive/gateway';

/**
 * Starts another vendor's router in front of subgraphs, in this process: the graph must answer as the router does.
 * Needs `installApart('test/gateway')` before.
 */
export const createHiveGateway = ({
  supergraphSdl,
  urls,
  headers = {},
}: HiveGatewaySettings): Promise<HiveGateway> =>
  startHiveGateway({
    supergraph: supergraphSdl.replace(
      /@join__graph\(name: "([^"]+)", url: ""\)/g,
      (_, name: string) => `@join__graph(name: "${name}", url: "${urls[name] ?? ''}")`,
    ),
    // By default, the router sends subscriptions by GET.
    transportEntries: { '*.http': { options: { method: 'POST' } } },
    propagateHeaders: { fromClientToSubgraphs: () => headers },
  });

/** Starts the router with a configuration, as its file `gateway.config.ts` exports one. */
export async function startHiveGateway(config: object): Promise<HiveGateway> {
  const { createGatewayRuntime } = (await import(PACKAGE)) as Package;
  const runtime = createGatewayRuntime({
    ...config,
    ...{ logging: false, maskedErrors: false, landingPage: false, graphqlEndpoint: '/graphql' },
  });
  const post = (accept: string, body: object, headers: Headers): Promise<Response> =>
    runtime.fetch('http://gateway.test/graphql', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    });
  return {
    query: async (query, variables = {}, headers = {}) =>
      (await (await post('application/json', { query, variables }, headers)).json()) as ExecutionResult,
    subscribe: (query, headers = {}) => readEvents(() => post('text/event-stream', { query }, headers)),
    fetch: (url, request) => runtime.fetch(url, request),
    close: async () => {
      await runtime[Symbol.asyncDispose]();
    },
  };
}

/** Sends a subscription, and reads the answers from the server-sent events. */
async function* readEvents(send: () => Promise<Response>): AsyncGenerator<ExecutionResult> {
  const response = await send();
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const data = /^data: ?(.+)$/m.exec(message)?.[1];
      if (data !== undefined) yield JSON.parse(data) as ExecutionResult;
    }
  }
}
