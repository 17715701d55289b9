import pg from 'pg';

/** The longest wait for the answer of one host, in milliseconds. */
const HOST_WAIT_MS = 2_000;

/** The time between two questions which host is the primary, in milliseconds. */
const WATCH_MS = 2_000;

/** A primary. An address may lead to another server later. So a server also has its own address and the time of its start. */
export type Server = {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly identity: string;
};

/**
 * The search for the primary among the hosts of one address.
 *
 * While a connection is open, the hosts are asked every two seconds. When another host is the primary, connections to the
 * former one end. A machine that died sends no packet, so its connections would otherwise stay silent for minutes.
 */
export type PrimarySearch = {
  /** Returns the primary. Asks all hosts at once unless the primary is known. Throws when no host is one. */
  find(): Promise<Server>;
  /** Forgets a server that did not take a connection, or was a standby. */
  forget(server: Server): void;
  /** Keeps a connection under watch until the connection ends. */
  watch(client: pg.Client, server: Server): void;
};

export function searchPrimary(urls: readonly string[]): PrimarySearch {
  const open = new Map<pg.Client, Server>();
  let known: Server | null = null;
  let asking: Promise<Server> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const ask = async (): Promise<Server> => {
    // The known primary goes first. In a moment with two primaries, connections stay together.
    const rest = urls.filter((url) => url !== known?.url);
    const found =
      (known && (await primaryAt(known.url).catch(() => null))) ??
      (await firstPrimary(rest.length > 0 ? rest : urls));
    known = found;
    for (const [client, server] of open)
      if (server.identity !== found.identity) client.connection.stream.destroy();
    return found;
  };
  const askOnce = (): Promise<Server> => (asking ??= ask().finally(() => (asking = null)));

  return {
    find: async () => known ?? (await askOnce()),
    forget: (server) => {
      if (known?.url === server.url) known = null;
    },
    watch: (client, server) => {
      open.set(client, server);
      timer ??= setInterval(() => void askOnce().catch(() => undefined), WATCH_MS).unref();
      client.once('end', () => {
        open.delete(client);
        if (open.size > 0 || !timer) return;
        clearInterval(timer);
        timer = null;
      });
    },
  };
}

/** Returns the first host that answers as the primary. Throws with the reason of each host otherwise. */
async function firstPrimary(urls: readonly string[]): Promise<Server> {
  return await Promise.any(urls.map(primaryAt));
}

async function primaryAt(url: string): Promise<Server> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: HOST_WAIT_MS,
    query_timeout: HOST_WAIT_MS,
    application_name: 'paygraph primary',
  });
  client.on('error', () => undefined);
  try {
    const standby = hearStandby(client);
    await client.connect();
    if (await standby()) throw new StandbyError(client);
    const { rows } = await client.query<{ identity: string }>(
      "SELECT concat_ws(' ', inet_server_addr(), inet_server_port(), pg_postmaster_start_time()) AS identity",
    );
    return { url, host: client.host, port: client.port, identity: rows[0]?.identity ?? '' };
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** The error of a connection to a server that takes no writes. Has the code of Postgres for a write at such a server. */
export class StandbyError extends Error {
  readonly code = '25006';

  constructor({ host, port }: pg.Client) {
    super(`The server at ${host}:${port} is a standby and takes no writes.`);
  }
}

/**
 * Listens to the role that a server tells while it takes a connection. Call before `connect`, and the result after it.
 *
 * Postgres tells the role since version 14. A pooler does not pass it on. Then a statement asks.
 */
export function hearStandby(client: pg.Client): () => Promise<boolean> {
  let told: boolean | null = null;
  client.connection.on('parameterStatus', (status: ParameterStatus) => {
    if (status.parameterName === 'in_hot_standby') told = status.parameterValue === 'on';
  });
  return async () => {
    if (told !== null) return told;
    const { rows } = await client.query<{ standby: boolean }>(ROLE);
    return rows[0]?.standby === true;
  };
}

/** The driver knows the time limit of one statement, and its types do not. */
const ROLE = { text: 'SELECT pg_is_in_recovery() AS standby', query_timeout: HOST_WAIT_MS };

type ParameterStatus = { readonly parameterName: string; readonly parameterValue: string };
