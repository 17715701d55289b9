import type { AccessTokenStore } from './connectors/calls/access-token-store.ts';
import type { AntiFraudConnector } from './connectors/anti-fraud/connector.ts';
import type { Connector } from './connectors/interface/connector.ts';
import type { WebhookMaterial } from './connectors/reading/webhook-material.ts';
import type { Changes } from './platform/input/changes.ts';
import type { Clock } from './platform/clock.ts';
import type { Replicas } from './platform/connections/replicas.ts';
import type { Config } from './platform/process/config.ts';
import type { Db } from './platform/database/db.ts';
import type { FeedPages } from './platform/feed/feed-pages.ts';
import type { FeedTail } from './platform/feed/feed-tail.ts';
import type { HttpClient } from './platform/http/http-client.ts';
import type { Ids } from './platform/ids.ts';
import type { Log } from './platform/log.ts';
import type { Vault } from './platform/vault/vault.ts';

/** The dependencies of every operation. main.ts wires them once. */
export type App = {
  readonly config: Config;
  /** The connections for payments and background work. */
  readonly db: Db;
  /** The connections for queries and subscriptions. They only read, and their statements have a time limit. */
  readonly readDb: Db;
  /** The replicas that answer queries. Null without a replica. */
  readonly replicas: Replicas | null;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly vault: Vault;
  readonly http: HttpClient;
  readonly accessTokens: AccessTokenStore;
  readonly webhookMaterial: WebhookMaterial;
  readonly connectors: readonly Connector[];
  readonly antiFraudConnectors: readonly AntiFraudConnector[];
  /** The changes of payment services. They end what is remembered of them. */
  readonly serviceChanges: Changes;
  /** The live end of the feed, for subscriptions. */
  readonly feedTail: FeedTail;
  /** The past of the feeds, for subscribers that catch up. */
  readonly feedPages: FeedPages;
  /** The address at which others reach this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Wakes the relay. Optional: the relay also polls. */
  readonly wakeRelay: () => void;
  /** Wakes the payment link sweeper after the payment of a link has changed. Optional: the sweeper also polls. */
  readonly wakePaymentLinks: () => void;
};

/** The caller of an operation, from a verified token or from a session. */
export type Viewer = {
  readonly merchantAccountId: string;
  /** The token's scopes, narrowed to the scopes of its key. */
  readonly scopes: readonly string[];
  /** The id of the key pair, or of a person's session. */
  readonly apiKeyPairId: string;
  /** The person who is signed in at the dashboard. Absent for a token. */
  readonly person?: string;
  /** The record of that person. Null for the visitor of a sandbox. */
  readonly personId?: string | null;
  /** The claim `sub` of the token, and its claim `act` as JSON text. For the audit log alone. */
  readonly subject?: string | null;
  readonly act?: string | null;
  /** The merchant accounts that the key can access. Empty: all. */
  readonly reachableMerchantAccountIds: readonly string[];
  readonly tokenExpiresAt: Date;
};
