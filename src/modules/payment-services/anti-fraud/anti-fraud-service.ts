import type { App } from '../../../app.ts';
import type { AntiFraudDefinition } from '../../../connectors/anti-fraud/connector.ts';
import type { SealedCredentials } from '../credentials.ts';
import type { Field } from '../fields.ts';
import type { SecretOwner } from '../secrets.ts';
import { findAntiFraudProvider } from './definitions.ts';

/** An anti-fraud service as it is kept. Nothing in it is secret in clear. */
export type StoredAntiFraudService = SealedCredentials & {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly definitionId: string;
  readonly displayName: string;
  /** At most one of a merchant account, deleted ones aside. */
  readonly active: boolean;
  /** Whether the newer version of the third party's interface is spoken from the next check on. */
  readonly newerInterfaceEnabled: boolean;
  /** Opaque part of the address at which the third party's webhooks arrive. */
  readonly webhookToken: string;
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
  /** Later after every change, even within one millisecond: a write that was decided on an older state is found by it. */
  readonly updatedAt: Date;
};

/** An anti-fraud service as the merchant sees it: no secret field, sealed or not. */
export type AntiFraudService = {
  readonly id: string;
  readonly type: 'anti-fraud-service';
  readonly merchantAccountId: string;
  readonly antiFraudServiceDefinitionId: string;
  readonly displayName: string;
  readonly fields: readonly Field[];
  readonly active: boolean;
  readonly newerInterfaceEnabled: boolean;
  /** What the next check is asked in; null when no connector has the definition any more. */
  readonly interfaceVersion: string | null;
  readonly webhookUrl: string;
  readonly isDeleted: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Shows a stored anti-fraud service to its merchant. */
export function toAntiFraudService(
  app: Pick<App, 'antiFraudConnectors' | 'publicUrl'>,
  stored: StoredAntiFraudService,
): AntiFraudService {
  const { definitionId, sealedFields, webhookToken, deletedAt, ...shown } = stored;
  const definition = findAntiFraudProvider(app, definitionId)?.definition ?? null;
  return {
    ...shown,
    type: 'anti-fraud-service',
    antiFraudServiceDefinitionId: definitionId,
    interfaceVersion: definition && interfaceVersionOf(definition, stored),
    webhookUrl: `${app.publicUrl}/webhooks/anti-fraud/${webhookToken}`,
    isDeleted: deletedAt !== null,
  };
}

/** The version of the third party's interface that a service speaks: the older one, unless it is switched over. */
export const interfaceVersionOf = (
  { interfaceVersion, newerInterfaceVersion }: AntiFraudDefinition,
  { newerInterfaceEnabled }: Pick<StoredAntiFraudService, 'newerInterfaceEnabled'>,
): string => (newerInterfaceEnabled ? (newerInterfaceVersion ?? interfaceVersion) : interfaceVersion);

/** Whose secrets the secrets of a service are. */
export const ownerOf = ({
  merchantAccountId,
  id,
}: Pick<StoredAntiFraudService, 'merchantAccountId' | 'id'>): SecretOwner => ({
  table: 'anti_fraud_service',
  merchantAccountId,
  id,
});

/** An anti-fraud service as the record of an idempotency key holds it: moments as ISO text. */
export type AntiFraudServiceJson = Omit<AntiFraudService, 'createdAt' | 'updatedAt'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const toJson = (service: AntiFraudService): AntiFraudServiceJson => ({
  ...service,
  createdAt: service.createdAt.toISOString(),
  updatedAt: service.updatedAt.toISOString(),
});

export const fromJson = (json: AntiFraudServiceJson): AntiFraudService => ({
  ...json,
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});
