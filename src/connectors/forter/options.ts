import { z } from 'zod';

/**
 * The connection options `forter-anti-fraud` of a payment. They replace the values that Paygraph finds in the payment. An
 * option in another form is ignored, because a payment must not fail for its check.
 */
const options = z.object({
  delivery_type: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['PHYSICAL', 'DIGITAL', 'HYBRID']))
    .optional()
    .catch(undefined),
  delivery_method: z.string().min(1).optional().catch(undefined),
  is_guest_buyer: z.boolean().optional().catch(undefined),
  /** Lines in Forter's own form, in place of the payment's cart. */
  cart_items: z.array(z.record(z.string(), z.unknown())).optional().catch(undefined),
  /** In Forter's own form. */
  total_discount: z.record(z.string(), z.unknown()).optional().catch(undefined),
});

export type ForterOptions = z.output<typeof options>;

export const optionsOf = (given: unknown): ForterOptions => options.safeParse(given).data ?? {};
