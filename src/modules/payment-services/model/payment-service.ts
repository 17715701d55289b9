import type { App } from '../../../app.ts';
import type { Field } from './fields.ts';
import type { Flags } from './flags.ts';
import type { MerchantProfile } from './merchant-profile.ts';

/**
 * - `created`: the credentials have not been checked.
 * - `pending`: the provider was asked, and has not answered.
 * - `active`: the provider accepted the credentials.
 * - `failed`: the provider refused the credentials. Routing passes over the service.
 */
export type PaymentServiceStatus = 'pending' | 'created' | 'active' | 'failed';

/** The result of the last check of the credentials. */
export type CheckedStatus = {
  readonly status: PaymentServiceStatus;
  /** The provider's words about refused credentials, or the cause of a missing answer. */
  readonly statusReason: string | null;
  /** Null before the first check. */
  readonly statusCheckedAt: Date | null;
};

/** The effect of an unavailable authentication: the payment continues without one, or is declined. */
export const THREE_D_SECURE_FALLBACKS = ['continue', 'stop'] as const;
export type ThreeDSecureFallback = (typeof THREE_D_SECURE_FALLBACKS)[number];

/** A payment service as stored. It holds no secret in clear. */
export type StoredPaymentService = Flags &
  CheckedStatus & {
    readonly merchantAccountId: string;
    readonly id: string;
    readonly definitionId: string;
    /** As `packageText` writes it. */
    readonly connectorPackage: string | null;
    readonly method: string;
    readonly displayName: string;
    readonly position: number;
    readonly active: boolean;
    readonly acceptedCurrencies: readonly string[];
    readonly acceptedCountries: readonly string[];
    /** Non-secret credential fields, in the order given. */
    readonly fields: readonly Field[];
    /** The secret fields, sealed as one JSON object, or null without secrets. */
    readonly sealedFields: string | null;
    readonly reportingFields: readonly Field[];
    readonly merchantProfile: readonly MerchantProfile[] | null;
    readonly threeDSecureFallback: ThreeDSecureFallback;
    readonly webhookToken: string;
    readonly deletedAt: Date | null;
    readonly createdAt: Date;
    /** Later after every change, even within one millisecond, so that a write decided on an older state is detected. */
    readonly updatedAt: Date;
  };

/** A payment service as its merchant sees it, without secret fields. */
export type PaymentService = Flags &
  CheckedStatus & {
    readonly id: string;
    readonly type: 'payment-service';
    readonly merchantAccountId: string;
    readonly paymentServiceDefinitionId: string;
    readonly method: string;
    readonly displayName: string;
    readonly position: number;
    readonly acceptedCurrencies: readonly string[];
    readonly acceptedCountries: readonly string[];
    readonly merchantProfile: readonly MerchantProfile[] | null;
    readonly threeDSecureFallback: ThreeDSecureFallback;
    readonly webhookUrl: string;
    readonly fields: readonly Field[];
    readonly reportingFields: readonly Field[];
    readonly active: boolean;
    readonly isDeleted: boolean;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  };

/** Returns our address for the webhooks of a payment service. */
export const webhookUrlOf = (
  { publicUrl }: Pick<App, 'publicUrl'>,
  { webhookToken }: Pick<StoredPaymentService, 'webhookToken'>,
): string => `${publicUrl}/webhooks/${webhookToken}`;

/** Converts a stored payment service to the merchant's view. */
export function toPaymentService(app: Pick<App, 'publicUrl'>, stored: StoredPaymentService): PaymentService {
  const { definitionId, connectorPackage, sealedFields, webhookToken, deletedAt, ...shown } = stored;
  return {
    ...shown,
    type: 'payment-service',
    paymentServiceDefinitionId: definitionId,
    webhookUrl: webhookUrlOf(app, { webhookToken }),
    isDeleted: deletedAt !== null,
  };
}

/** A payment service as the record of an idempotency key stores it, with moments as ISO text. */
export type PaymentServiceJson = Omit<
  PaymentService,
  'createdAt' | 'updatedAt' | 'merchantProfile' | 'statusCheckedAt'
> & {
  readonly statusCheckedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly merchantProfile:
    | readonly (Omit<MerchantProfile, 'createdAt'> & { readonly createdAt: string })[]
    | null;
};

export const toJson = (service: PaymentService): PaymentServiceJson => ({
  ...service,
  statusCheckedAt: service.statusCheckedAt?.toISOString() ?? null,
  createdAt: service.createdAt.toISOString(),
  updatedAt: service.updatedAt.toISOString(),
  merchantProfile:
    service.merchantProfile?.map((entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() })) ?? null,
});

export const fromJson = (json: PaymentServiceJson): PaymentService => ({
  ...json,
  statusCheckedAt: json.statusCheckedAt === null ? null : new Date(json.statusCheckedAt),
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
  merchantProfile:
    json.merchantProfile?.map((entry) => ({ ...entry, createdAt: new Date(entry.createdAt) })) ?? null,
});

/** Returns the moment of a change: now, but always after the previous change. */
export const momentAfter = (previous: Date, now: Date): Date =>
  now.getTime() > previous.getTime() ? now : new Date(previous.getTime() + 1);
