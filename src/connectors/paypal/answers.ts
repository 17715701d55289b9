import { z } from 'zod';

const text = z.string().nullish().catch(null);

const links = z
  .array(z.object({ href: z.string(), rel: z.string() }))
  .nullish()
  .catch(null)
  .transform((given) => given ?? []);

const money = z.object({ currency_code: z.string(), value: z.string() });

const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((given) => given ?? []);

/** The error of an answer. The issue of a detail says what is wrong. */
export const errorAnswer = z.object({
  name: z.string(),
  message: text,
  details: list(z.object({ issue: text, description: text, field: text })).catch([]),
  links,
});
export type PayPalError = z.output<typeof errorAnswer>;

/** An authorisation, a capture or a refund. All three have the same form, and statuses of their own. */
export const payment = z.object({
  id: z.string().min(1),
  status: z.string(),
  status_details: z.object({ reason: text }).nullish().catch(null),
  processor_response: z.object({ response_code: text, payment_advice_code: text }).nullish().catch(null),
  amount: money,
  custom_id: text,
  invoice_id: text,
  /** True for a capture after which PayPal releases the rest. */
  final_capture: z.boolean().nullish().catch(null),
});
export type Payment = z.output<typeof payment>;

const vault = z.object({ id: text, status: text });

export const order = z.object({
  id: z.string().min(1),
  status: z.string(),
  intent: z.string(),
  create_time: z.coerce
    .date()
    .nullish()
    .catch(null)
    .transform((given) => given ?? null),
  payment_source: z
    .object({
      paypal: z
        .object({ attributes: z.object({ vault: vault.nullish() }).nullish() })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
  purchase_units: z
    .array(
      z.object({
        custom_id: text,
        payments: z
          .object({
            authorizations: list(payment),
            captures: list(payment),
            refunds: list(payment),
          })
          .nullish(),
      }),
    )
    .length(1),
  links,
});

/** An order with its payments, in the order of PayPal's lists. */
export type Order = z.output<typeof order>;

/** Returns the payments of an order. Every order of ours has one purchase unit. */
export const paymentsOf = ({ purchase_units: [unit] }: Order) => ({
  authorizations: unit?.payments?.authorizations ?? [],
  captures: unit?.payments?.captures ?? [],
  refunds: unit?.payments?.refunds ?? [],
});
