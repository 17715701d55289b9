import pg from 'pg';
import { addressOf } from '../process/database-address.ts';
import { hearStandby, searchPrimary, StandbyError, type PrimarySearch } from './primary.ts';

/** A class of connections to one address. The address given to the constructor has no effect. */
export type ClientClass = new (config?: pg.ClientConfig) => pg.Client;

/**
 * Returns the class of connections to an address in the form of libpq.
 *
 * With several hosts, each connection goes to the primary among them. A connection to a server that takes no writes ends with
 * the error of Postgres for a write there. Pools, the listener, single connections and migrations all use this class.
 */
export function clientsOf(url: string): ClientClass {
  const { urls, primary } = addressOf(url);
  const [connectionString] = urls;
  const plain = class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString });
    }
  };
  return primary ? onPrimary(plain, searchOf(urls)) : plain;
}

const onPrimary = (plain: ClientClass, search: PrimarySearch): ClientClass =>
  class extends plain {
    override connect(): Promise<pg.Client>;
    override connect(done: (error?: Error | null) => void): void;
    override connect(done?: (error?: Error | null) => void): Promise<pg.Client> | void {
      const connected = this.#connect();
      if (!done) return connected;
      connected.then(() => done(), done);
    }

    async #connect(): Promise<pg.Client> {
      const server = await search.find();
      Object.assign(this, { host: server.host, port: server.port });
      const standby = hearStandby(this);
      try {
        await super.connect();
        if (await standby()) throw new StandbyError(this);
      } catch (error) {
        search.forget(server);
        void this.end().catch(() => undefined);
        throw error;
      }
      search.watch(this, server);
      return this;
    }
  };

/** The searches of this process. Its pools and its listener share what one of them finds. */
const searches = new Map<string, PrimarySearch>();

function searchOf(urls: readonly string[]): PrimarySearch {
  const key = urls.join(' ');
  const search = searches.get(key) ?? searchPrimary(urls);
  searches.set(key, search);
  return search;
}
