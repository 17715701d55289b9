import type { AntiFraudConnector } from './connectors/anti-fraud/connector.ts';
import type { Connector } from './connectors/connector.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import type { Db } from './platform/db.ts';
import type { FeedTail } from './platform/feed-tail.ts';
import type { HttpClient } from './platform/http-client.ts';
import type { Ids } from './platform/ids.ts';
import type { Log } from './platform/log.ts';
import type { Vault } from './platform/vault/vault.ts';

/** Everything that an operation may use beside its arguments. Wired once in main.ts. */
export type App = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly vault: Vault;
  readonly http: HttpClient;
  readonly connectors: readonly Connector[];
  readonly antiFraudConnectors: readonly AntiFraudConnector[];
  /** The live end of the feed, for subscriptions. */
  readonly feedTail: FeedTail;
  /** Address under which others reach this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Says that committed work waits for the relay; a hint, never needed for progress. */
  readonly wakeRelay: () => void;
  /** Says that a payment of a link has moved on; a hint, never needed for progress. */
  readonly wakePaymentLinks: () => void;
};

/** Who asks: taken from a verified token. */
export type Viewer = {
  readonly merchantAccountId: string;
  /** The token's scopes, cut to those of its key. */
  readonly scopes: readonly string[];
  readonly apiKeyPairId: string;
  /** Merchant accounts that the key reaches; empty means every one. */
  readonly reachableMerchantAccountIds: readonly string[];
  readonly tokenExpiresAt: Date;
};
