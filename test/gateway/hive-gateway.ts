import type { ExecutionResult } from 'graphql';

export type HiveGatewaySettings = {
  readonly supergraphSdl: string;
  /** Address of each subgraph by name. */
  readonly urls: Readonly<Record<string, string>>;
  /** The headers of every request to a subgraph. */
  readonly headers?: Readonly<Record<string, string>>;
};

export type HiveGateway = {
  query(text: string, variables?: Readonly<Record<string, unknown>>): Promise<ExecutionResult>;
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
export async function createHiveGateway({
  supergraphSdl,
  urls,
  headers = {},
}: HiveGatewaySettings): Promise<HiveGateway> {
  const { createGatewayRuntime } = (await import(PACKAGE)) as Package;
  const runtime = createGatewayRuntime({
    supergraph: supergraphSdl.replace(
      /@join__graph\(name: "([^"]+)", url: ""\)/g,
      (_, name: string) => `@join__graph(name: "${name}", url: "${urls[name] ?? ''}")`,
    ),
    transportEntries: { '*.http': { headers: Object.entries(headers) } },
    logging: false,
    maskedErrors: false,
    landingPage: false,
    graphqlEndpoint: '/graphql',
  });
  return {
    async query(text, variables = {}) {
      const response = await runtime.fetch('http://gateway.test/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ query: text, variables }),
      });
      return (await response.json()) as ExecutionResult;
    },
    close: async () => {
      await runtime[Symbol.asyncDispose]();
    },
  };
}
