import { z } from 'zod';
import { isUuid } from '../../../platform/ids.ts';
import { optional, pattern } from '../../../platform/input/values.ts';
import { cardNetwork } from './card-network.ts';
import { cryptogram, eci } from './means.ts';

/** A stored payment method to pay with. Security code and cryptogram go to the provider and are never stored. */
export const storedPaymentMethod = z.object({
  id: z.string().refine(isUuid, 'Must be the id of a stored payment method.'),
  securityCode: optional(pattern(/^\d{3,4}$/, 'Must be 3 or 4 digits.')),
  cryptogram: optional(cryptogram),
  eci: optional(eci),
  network: cardNetwork,
});

type Issue = { readonly path: readonly string[]; readonly message: string };

/** Refuses to store a method that is stored already. */
export const refuseStored = ({
  store,
  paymentMethod,
}: {
  readonly store: boolean;
  readonly paymentMethod?: { readonly stored: unknown } | null | undefined;
}): readonly Issue[] =>
  store && paymentMethod?.stored != null
    ? [{ path: ['store'], message: 'Must be false: the payment method is stored already.' }]
    : [];

/** Refuses two names for the stored buyer. */
export const refuseTwoBuyers = ({
  buyerId,
  buyerExternalIdentifier,
}: {
  readonly buyerId: string | null;
  readonly buyerExternalIdentifier: string | null;
}): readonly Issue[] =>
  buyerId !== null && buyerExternalIdentifier !== null
    ? [
        {
          path: ['buyerExternalIdentifier'],
          message: 'Give buyerId or buyerExternalIdentifier, not both.',
        },
      ]
    : [];
