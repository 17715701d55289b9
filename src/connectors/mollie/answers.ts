import { z } from 'zod';

const text = z.string().nullish().catch(null);

/** A moment of Mollie's clock. */
const moment = z.coerce
  .date()
  .nullish()
  .catch(null)
  .transform((given) => given ?? null);

const amount = z.object({ currency: z.string(), value: z.string() });

const link = z.object({ href: z.string() }).nullish().catch(null);

/** The error of an answer. Mollie has no codes: only the status and the field are words to rely on. */
export const errorAnswer = z.object({ status: z.int(), title: text, detail: text, field: text });
export type MollieError = z.output<typeof errorAnswer>;

export const payment = z.object({
  id: z.string().min(1),
  mode: z.enum(['live', 'test']),
  status: z.string(),
  amount,
  metadata: z.unknown().optional(),
  method: text,
  captureMode: text,
  sequenceType: text,
  customerId: text,
  mandateId: text,
  isCancelable: z.boolean().nullish().catch(null),
  createdAt: moment,
  authorizedAt: moment,
  paidAt: moment,
  canceledAt: moment,
  expiredAt: moment,
  failedAt: moment,
  details: z
    .object({ failureReason: text, cardNumber: text, cardLabel: text, cardCountryCode: text })
    .nullish()
    .catch(null),
  _links: z
    .object({ checkout: link, captures: link, refunds: link, chargebacks: link })
    .nullish()
    .catch(null),
});
export type Payment = z.output<typeof payment>;

export const capture = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount,
  metadata: z.unknown().optional(),
  createdAt: moment,
});
export type Capture = z.output<typeof capture>;

/** Refunds have the same form as captures, with other statuses. */
export const refund = capture;
export type Refund = Capture;

export const chargeback = z.object({
  id: z.string().min(1),
  amount,
  reason: z.object({ code: text }).nullish().catch(null),
  createdAt: moment,
  reversedAt: moment,
});
export type Chargeback = z.output<typeof chargeback>;

export const customer = z.object({ id: z.string().regex(/^cst_\w+$/) });

/** A page of a list. `name` is the name under which the page has its items. */
export const pageOf = <Item extends z.ZodType>(name: string, item: Item) =>
  z
    .object({
      _embedded: z.record(z.string(), z.unknown()),
      _links: z.object({ next: link }).nullish().catch(null),
    })
    .transform(({ _embedded, _links }, context) => {
      const items = z.array(item).safeParse(_embedded[name]);
      if (items.success) return { items: items.data, next: _links?.next?.href ?? null };
      context.addIssue({ code: 'custom', message: `The page has no ${name}.` });
      return z.NEVER;
    });
