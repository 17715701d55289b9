import { z } from 'zod';
import { refuseInvalid } from './refusal.ts';

// The requests that Checkout.com takes, with the limits of its API reference of 2021. Fields that are newer than that reference
// are marked. Every object refuses unknown fields, although Checkout.com may ignore them.

const text = (max: number) => z.string().min(1).max(max);
const flag = z.boolean().optional();

const address = z.strictObject({
  address_line1: text(200).optional(),
  address_line2: text(200).optional(),
  city: text(50).optional(),
  state: text(50).optional(),
  zip: text(50).optional(),
  country: z.string().length(2).optional(),
});

const billing = { billing_address: address.optional() };
const cvv = z.string().regex(/^\d{3,4}$/);

const source = z.discriminatedUnion('type', [
  z.strictObject({
    ...{ type: z.literal('card'), ...billing },
    number: z.string().regex(/^\d{12,19}$/),
    expiry_month: z.int().min(1).max(12),
    expiry_year: z.int().min(1000).max(9999),
    name: text(255).optional(),
    cvv: cvv.optional(),
    stored: flag,
  }),
  z.strictObject({
    ...{ type: z.literal('token'), ...billing },
    token: z.string().regex(/^tok_\w{26}$/),
  }),
  z.strictObject({
    type: z.literal('id'),
    id: z.string().regex(/^src_\w{26}$/),
    cvv: cvv.optional(),
  }),
]);

const authentication = z.strictObject({
  enabled: flag,
  attempt_n3d: flag,
  eci: text(2).optional(),
  cryptogram: text(50).optional(),
  xid: text(100).optional(),
  version: text(10).optional(),
  exemption: z.enum(['low_value', 'secure_corporate_payment', 'trusted_listing']).optional(),
  // Newer than the reference.
  challenge_indicator: z
    .enum(['no_preference', 'no_challenge_requested', 'challenge_requested', 'challenge_requested_mandate'])
    .optional(),
});

/** The metadata is flat, and its values are short. */
const names = {
  reference: text(50).optional(),
  metadata: z.record(text(100), text(255)).optional(),
};

const amount = z.int().min(0).max(999_999_999);

const payment = z.strictObject({
  ...{ source, amount: amount.optional(), currency: z.string().length(3), ...names },
  // `Unscheduled` is newer than the reference.
  payment_type: z.enum(['Regular', 'Recurring', 'MOTO', 'Installment', 'Unscheduled']).optional(),
  merchant_initiated: flag,
  previous_payment_id: text(100).optional(),
  description: text(100).optional(),
  capture: flag,
  customer: z.strictObject({ email: z.email().max(255), name: text(255).optional() }).optional(),
  billing_descriptor: z.strictObject({ name: text(25), city: text(13) }).optional(),
  shipping: z.strictObject({ address: address.optional() }).optional(),
  '3ds': authentication.optional(),
  processing_channel_id: z
    .string()
    .regex(/^pc_\w+$/)
    .optional(),
  success_url: z.url().max(255).optional(),
  failure_url: z.url().max(255).optional(),
  payment_ip: text(45).optional(),
});
export type PaymentBody = z.output<typeof payment>;

const part = z.strictObject({ ...names, amount: amount.optional() });
export type PartBody = z.output<typeof part>;

const capture = part.extend({ capture_type: z.enum(['NonFinal', 'Final']).optional() });
export type CaptureBody = z.output<typeof capture>;

const tokenData = (...fields: readonly string[]) =>
  z.looseObject(
    Object.fromEntries(fields.map((field) => [field, z.unknown().refine((it) => it !== undefined)])),
  );

const evidenceText = text(500).optional();
const evidenceFile = z
  .string()
  .regex(/^file_\w{26}$/)
  .optional();

const EVIDENCE = [
  ...['proof_of_delivery_or_service', 'invoice_or_receipt', 'invoice_showing_distinct_transactions'],
  ...['customer_communication', 'refund_or_cancellation_policy', 'recurring_transaction_agreement'],
  'additional_evidence',
];

/** The bodies of all calls that have one. */
const BODIES = {
  'POST /payments': payment,
  'POST /payments/{id}/captures': capture,
  'POST /payments/{id}/refunds': part,
  'POST /payments/{id}/voids': z.strictObject(names),
  'POST /tokens': z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('applepay'), token_data: tokenData('version', 'data') }),
    z.strictObject({ type: z.literal('googlepay'), token_data: tokenData('signature', 'signedMessage') }),
  ]),
  'PUT /disputes/{id}/evidence': z.strictObject(
    Object.fromEntries(
      EVIDENCE.flatMap((field) => [
        [`${field}_text`, evidenceText],
        [`${field}_file`, evidenceFile],
      ]),
    ),
  ),
} as const;

/** Refuses a body that the reference does not allow, with the codes of all faults. */
export function checkBody(call: string, body: unknown): void {
  const shape = (BODIES as Readonly<Record<string, z.ZodType | undefined>>)[call];
  const faults = shape?.safeParse(body, { reportInput: true }).error?.issues.map(codeOf) ?? [];
  if (faults.length > 0) refuseInvalid(...faults);
}

/** The names of the fields of a card in codes. */
const CARD_FIELDS: Readonly<Record<string, string>> = {
  source_number: 'card_number',
  source_cvv: 'cvv',
  source_expiry_month: 'card_expiry_month',
  source_expiry_year: 'card_expiry_year',
};

function codeOf(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('_') || 'request';
  if (issue.code === 'unrecognized_keys') return `${field}_${issue.keys.join('_')}_unknown`;
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  return `${CARD_FIELDS[field] ?? field}_${isMissing ? 'required' : 'invalid'}`;
}
