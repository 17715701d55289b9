import { z } from 'zod';
import { AMOUNT_MAX } from '../../../kernel/money.ts';
import { text } from '../../../platform/input/text.ts';
import { isMerchantAccountId } from './account-access.ts';

/** A tenant. Every other record belongs to a merchant account. */
export type MerchantAccount = {
  readonly id: string;
  readonly displayName: string;
  /** The largest capture above the authorised amount, in minor units. Null allows none by amount. */
  readonly overCaptureAmount: number | null;
  /** The largest capture above the authorised amount, in percent. Null allows none by percentage. */
  readonly overCapturePercentage: number | null;
  /** True if external identifiers and idempotency keys may look like card numbers. */
  readonly allowsCardLikeIdentifiers: boolean;
  /** The treatment of an authorisation that a provider reports after its refusal. */
  readonly lateAuthorizations: LateAuthorizations;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * The treatment of an authorisation that a provider reports after its refusal.
 * - `release`: its money is released at the provider at once.
 * - `accept`: the payment becomes authorised, unless it is paid already.
 */
export type LateAuthorizations = (typeof LATE_AUTHORIZATIONS)[number];
const LATE_AUTHORIZATIONS = ['release', 'accept'] as const;

/** The account of requests that name none. The first start creates it. */
export const DEFAULT_MERCHANT_ACCOUNT = 'default';

const limits = {
  overCaptureAmount: z
    .int('Must be a whole number.')
    .min(0, 'Must be 0 or more.')
    .max(AMOUNT_MAX, `Must be at most ${AMOUNT_MAX}.`),
  overCapturePercentage: z
    .int('Must be a whole number.')
    .min(0, 'Must be 0 or more.')
    .max(100, 'Must be at most 100.'),
};

const displayName = text(1, 255);

export const createMerchantAccountSchema = z.object({
  id: z.string().refine(isMerchantAccountId, 'Must be 1 to 50 letters (a to z, A to Z), digits or hyphens.'),
  displayName,
  overCaptureAmount: limits.overCaptureAmount.nullish(),
  overCapturePercentage: limits.overCapturePercentage.nullish(),
  allowsCardLikeIdentifiers: z.boolean().nullish(),
  lateAuthorizations: z.enum(LATE_AUTHORIZATIONS).nullish(),
});

export const updateMerchantAccountSchema = z.object({
  displayName: displayName.nullish(),
  overCaptureAmount: limits.overCaptureAmount.nullish(),
  overCapturePercentage: limits.overCapturePercentage.nullish(),
  allowsCardLikeIdentifiers: z.boolean().nullish(),
  lateAuthorizations: z.enum(LATE_AUTHORIZATIONS).nullish(),
});

export type CreateMerchantAccountInput = Readonly<z.input<typeof createMerchantAccountSchema>>;
export type UpdateMerchantAccountInput = Readonly<z.input<typeof updateMerchantAccountSchema>>;

/** The form in the record of an idempotency key: moments as ISO text. */
export type MerchantAccountJson = Omit<
  MerchantAccount,
  'allowsCardLikeIdentifiers' | 'lateAuthorizations' | 'createdAt' | 'updatedAt'
> & {
  /** Absent from records that are older than the setting. */
  readonly allowsCardLikeIdentifiers?: boolean;
  readonly lateAuthorizations?: LateAuthorizations;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const merchantAccountToJson = (account: MerchantAccount): MerchantAccountJson => ({
  ...account,
  createdAt: account.createdAt.toISOString(),
  updatedAt: account.updatedAt.toISOString(),
});

export const merchantAccountFromJson = (json: MerchantAccountJson): MerchantAccount => ({
  ...json,
  allowsCardLikeIdentifiers: json.allowsCardLikeIdentifiers ?? false,
  lateAuthorizations: json.lateAuthorizations ?? 'release',
  createdAt: new Date(json.createdAt),
  updatedAt: new Date(json.updatedAt),
});
