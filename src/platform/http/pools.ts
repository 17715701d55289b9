import http from 'node:http';
import https from 'node:https';
import { LRUCache } from 'lru-cache';

/** Idle connections in a separate pool for each peer. */
export type Pools = {
  /**
   * Returns the agent of a pool and protocol. The first use creates the agent and sets its number of idle connections.
   */
  agent(pool: string, protocol: 'http:' | 'https:', idleMax: number): http.Agent;
  /** Ends all connections, also those in use. */
  close(): void;
};

/** Creates at most 500 pools. The pool that was unused longest closes its idle connections. */
export function createPools(): Pools {
  const agents = new LRUCache<string, http.Agent>({ max: POOL_MAX, dispose: retire });
  return {
    agent: (pool, protocol, idleMax) => {
      const name = `${protocol}${pool}`;
      const known = agents.get(name);
      if (known) return known;
      const options = { ...OPTIONS, maxFreeSockets: idleMax };
      const agent = protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
      agents.set(name, agent);
      return agent;
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

/** Closes idle connections now, and busy connections after their requests. `destroy` would cut those requests off. */
function retire(agent: http.Agent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) sockets?.forEach((socket) => socket.destroy());
}
