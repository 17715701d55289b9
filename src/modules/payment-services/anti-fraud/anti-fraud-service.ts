import type { App } from '../../../app.ts';
import type { AntiFraudDefinition } from '../../../connectors/anti-fraud/connector.ts';
import type { SealedCredentials } from '../credentials/credentials.ts';
import type { Field } from '../model/fields.ts';
import type { SecretOwner } from '../credentials/secrets.ts';
import { findAntiFraudProvider } from './definitions.ts';

export const ANTI_FRAUD_FALLBACKS = ['accept', 'review', 'reject'] as const;

/** The rule for a payment that the third party did not decide. `accept`: the payment goes on undecided. */
export type AntiFraudFallback = (typeof ANTI_FRAUD_FALLBACKS)[number];

/** An anti-fraud service as stored. It holds no secret in clear. */
export type StoredAntiFraudService = SealedCredentials & {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly definitionId: string;
  readonly displayName: string;
  /** At most one service of a merchant account is active, not counting deleted ones. */
  readonly active: boolean;
  /** True when checks from now on use the newer version of the third party's interface. */
  readonly newerInterfaceEnabled: boolean;
  readonly fallback: AntiFraudFallback;
  /** Opaque part of the address at which the third party's webhooks arrive. */
  readonly webhookToken: string;
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
  /** Later after every change, even within one millisecond, so that a write decided on an older state is detected. */
  readonly updatedAt: Date;
};

/** An anti-fraud service as its merchant sees it, without secret fields. */
export type AntiFraudService = {
  readonly id: string;
  readonly type: 'anti-fraud-service';
  readonly merchantAccountId: string;
  readonly antiFraudServiceDefinitionId: string;
  readonly displayName: string;
  readonly fields: readonly Field[];
  readonly active: boolean;
  readonly newerInterfaceEnabled: boolean;
  readonly fallback: AntiFraudFallback;
  /** The interface version of the next check. Null when no connector has the definition any more. */
  readonly interfaceVersion: string | null;
  readonly webhookUrl: string;
  readonly isDeleted: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Converts a stored anti-fraud service to the merchant's view. */
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

/** Returns the interface version that a service uses: the older one, unless the newer one is enabled. */
export const interfaceVersionOf = (
  { interfaceVersion, newerInterfaceVersion }: AntiFraudDefinition,
  { newerInterfaceEnabled }: Pick<StoredAntiFraudService, 'newerInterfaceEnabled'>,
): string => (newerInterfaceEnabled ? (newerInterfaceVersion ?? interfaceVersion) : interfaceVersion);

/** Returns the owner to which the secrets of a service are bound. */
export const ownerOf = ({
  merchantAccountId,
  id,
}: Pick<StoredAntiFraudService, 'merchantAccountId' | 'id'>): SecretOwner => ({
  table: 'anti_fraud_service',
  merchantAccountId,
  id,
});

/** An anti-fraud service as the record of an idempotency key stores it, with moments as ISO text. */
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
  // An answer that an earlier release stored has no rule.
  ...{ fallback: 'accept' },
  ...json,
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});
