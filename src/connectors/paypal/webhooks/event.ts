import { z } from 'zod';
import { payment } from '../answers.ts';

const text = z.string().nullish().catch(null);
const payee = z.object({ merchant_id: text }).nullish().catch(null);

/** A notification of PayPal. The type tells the form of the resource. */
export const eventSchema = z.object({
  id: z.string().min(1).max(255),
  event_type: z.string().max(255),
  create_time: text,
  resource: z.unknown(),
});

/** Anything that may name the merchant who gets the money. */
export const payeeResource = z.object({ payee });

/** An authorisation, a capture, a refund or a reversal. */
export const paymentResource = payment.extend({
  create_time: text,
  update_time: text,
  expiration_time: text,
  payee,
  supplementary_data: z
    .object({
      related_ids: z
        .object({ order_id: text, authorization_id: text, capture_id: text })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
  links: z
    .array(z.object({ href: z.string(), rel: z.string() }))
    .nullish()
    .catch(null)
    .transform((given) => given ?? []),
});
export type PaymentResource = z.output<typeof paymentResource>;

/** An order that the buyer approved. */
export const order = z.object({
  id: z.string().min(1),
  purchase_units: z
    .array(z.object({ custom_id: text, payee }))
    .nullish()
    .catch(null)
    .transform((given) => given ?? []),
});
export type Order = z.output<typeof order>;

/** A stored payment method, with the order that stored it. */
export const storedToken = z.object({
  id: z.string().min(1),
  metadata: z.object({ order_id: text }).nullish().catch(null),
});
export type StoredToken = z.output<typeof storedToken>;

/** Returns the id of the order that a payment belongs to. Null if the payment does not name the order. */
export const orderOf = (resource: PaymentResource): string | null =>
  resource.supplementary_data?.related_ids?.order_id ?? linkedId(resource, 'orders');

/** Returns the id of the capture that a refund or a reversal belongs to. Null if none is named. */
export const captureOf = (resource: PaymentResource): string | null =>
  linkedId(resource, 'captures') ?? resource.supplementary_data?.related_ids?.capture_id ?? null;

/** Returns the id of a related object from the link to the object. */
export function linkedId(
  { links }: PaymentResource,
  kind: 'authorizations' | 'captures' | 'orders',
): string | null {
  const up = links.find(({ rel }) => rel === 'up')?.href ?? '';
  const [, folder, id = null] = /\/([a-z]+)\/([A-Z0-9]{1,40})$/.exec(up) ?? [];
  return folder === kind ? id : null;
}
