import http from 'node:http';
import https from 'node:https';
import { LRUCache } from 'lru-cache';

/** Kept connections, apart for each peer. */
export type Pools = {
  /** The agent of a pool for one protocol, made on first use, which keeps so many idle connections. */
  agent(pool: string, protocol: 'http:' | 'https:', keep: number): http.Agent;
  /** Ends all connections, those in use as well. */
  close(): void;
};

/** At most 500 pools are kept; the one that was unused longest gives up its idle connections. */
export function createPools(): Pools {
  const agents = new LRUCache<string, http.Agent>({ max: POOL_MAX, dispose: retire });
  return {
    agent: (pool, protocol, keep) => {
      const name = `${protocol}${pool}`;
      const known = agents.get(name);
      if (known) return known;
      const options = { ...OPTIONS, maxFreeSockets: keep };
      const made = protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
      agents.set(name, made);
      return made;
    },
    close: () => {
      const open = [...agents.values()];
      agents.clear();
      open.forEach((agent) => agent.destroy());
    },
  };
}

const POOL_MAX = 500;

/** A pool's requests beyond `maxSockets` wait within their own deadlines. Idle connections are closed after 30 s. */
const OPTIONS = { keepAlive: true, maxSockets: 256, timeout: 30_000 } as const;

/** Closes idle connections now and those in use when their request is done; `destroy` would cut those off. */
function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) sockets?.forEach((socket) => socket.destroy());
}
