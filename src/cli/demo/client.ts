import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { howToRun } from '../../platform/process/how-to-run.ts';

/** A GraphQL client of a running service, like the client of a merchant's backend. */
export type Client = {
  /** Runs a document and returns its data. Throws a sentence when the service is unreachable or refuses. */
  run<Data>(document: string, variables?: Readonly<Record<string, unknown>>): Promise<Data>;
  /** Subscribes over a websocket. Resolves when the subscription is open. */
  subscribe<Data>(document: string, onNext: (data: Data) => void): Promise<{ close(): void }>;
};

export function createDemoClient(url: string, token: string): Client {
  const authorization = `Bearer ${token}`;
  return {
    run: async <Data>(document: string, variables = {}) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({ query: document, variables }),
      }).catch(() => {
        throw new Error(
          `Nothing answers at ${url}. Start the service first, in another terminal: ${howToRun('start')}`,
        );
      });
      const { data, errors } = (await response.json()) as { data?: Data; errors?: { message: string }[] };
      if (errors || !data)
        throw new Error(errors?.map(({ message }) => message).join(' ') ?? `Status ${response.status}`);
      return data;
    },
    subscribe: (query, onNext) => subscribe(url, authorization, query, onNext),
  };
}

async function subscribe<Data>(
  url: string,
  authorization: string,
  query: string,
  onNext: (data: Data) => void,
) {
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: { authorization },
    lazy: false,
  });
  await new Promise<void>((resolve, reject) => {
    client.on('connected', () => resolve());
    client.on('closed', () => reject(new Error('The websocket was refused.')));
  });
  const unsubscribe = client.subscribe<Data>(
    { query },
    { next: ({ data }) => data && onNext(data), error: () => undefined, complete: () => undefined },
  );
  return {
    close: () => {
      unsubscribe();
      void client.dispose();
    },
  };
}
