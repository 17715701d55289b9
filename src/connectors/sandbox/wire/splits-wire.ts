import type { Splits } from '../../door.ts';

/** The share of one account, in the provider's format. */
export type ShareOnWire = {
  readonly kind: 'recipient' | 'platform_fee';
  readonly account: string | null;
  readonly amount: number;
  readonly reference: string | null;
};

/** Maps the shares of a request. Nothing without any. */
export const splitsToWire = (splits: Splits | undefined): { readonly splits?: readonly ShareOnWire[] } =>
  splits ? { splits: splits.shares.filter(({ amount }) => amount > 0) } : {};
