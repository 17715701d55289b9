import { z } from 'zod';

// The forms of Forter's requests, written by hand from its example bodies and the words of its documentation. An unknown
// field is refused.

const text = z.string().min(1);
const seconds = z.int().min(1_000_000_000).max(99_999_999_999);
const milliseconds = z.int().min(1_000_000_000_000);

const amount = z.strictObject({
  amountLocalCurrency: z.string().regex(/^\d+(\.\d{2,3})?$/),
  currency: z.string().regex(/^[A-Z]{3}$/),
});

const person = z.strictObject({
  firstName: text.optional(),
  lastName: text.optional(),
  email: text.optional(),
});

const party = z.strictObject({
  personalDetails: person,
  address: z
    .strictObject({
      ...{ address1: text.optional(), address2: text.optional(), zip: text.optional() },
      ...{ city: text.optional(), region: text.optional(), country: z.string().length(2).optional() },
    })
    .optional(),
  phone: z.array(z.strictObject({ phone: text })).optional(),
});

const verificationResults = z.strictObject({
  authorizationCode: text.optional(),
  processorResponseCode: text.optional(),
  processorResponseText: text.optional(),
  avsFullResult: z.enum(['Y', 'N', 'A', 'Z', 'U']).optional(),
  cvvResult: z.enum(['M', 'N', 'U', 'P']).optional(),
  eciValue: text.optional(),
  threeDsVersion: text.optional(),
  threeDsStatusCode: z.string().length(1).optional(),
});

const card = z.strictObject({
  bin: z.string().regex(/^\d{6,8}$/),
  lastFourDigits: z.string().regex(/^\d{4}$/),
  fingerprint: text.optional(),
  expirationMonth: z
    .string()
    .regex(/^\d{2}$/)
    .optional(),
  expirationYear: z
    .string()
    .regex(/^20\d{2}$/)
    .optional(),
  cardBrand: z
    .string()
    .regex(/^[A-Z_]+$/)
    .optional(),
  verificationResults: verificationResults.optional(),
});

const payment = z
  .strictObject({
    amount,
    billingDetails: party.optional(),
    creditCard: card.optional(),
    applePay: card.partial().optional(),
    androidPay: card.partial().optional(),
    giftCard: z.strictObject({ value: amount }).optional(),
  })
  .refine(
    ({ creditCard, applePay, androidPay, giftCard }) =>
      [creditCard, applePay, androidPay, giftCard].filter((means) => means !== undefined).length <= 1,
    'A payment has one means at most.',
  );

const goods = z.strictObject({
  basicItemData: z.strictObject({
    name: text,
    quantity: z.int().min(1),
    price: amount,
    productId: text.optional(),
    category: text.optional(),
    type: z.enum(['TANGIBLE', 'NON_TANGIBLE']).optional(),
  }),
});

/** The body of `POST /v2/orders/{orderId}`. */
export const orderBody = z
  .strictObject({
    orderId: text,
    orderType: z.enum(['WEB', 'PHONE', 'IOS', 'ANDROID']),
    authorizationStep: z.enum(['PRE_AUTHORIZATION', 'POST_AUTHORIZATION']),
    timeSentToForter: milliseconds,
    checkoutTime: seconds,
    connectionInformation: z.strictObject({
      customerIP: z.union([z.ipv4(), z.ipv6()]).optional(),
      userAgent: text.max(4096).optional(),
      forterTokenCookie: text.max(128).optional(),
      forterMobileUID: text.max(128).optional(),
    }),
    totalAmount: amount,
    totalDiscount: z.record(z.string(), z.unknown()).optional(),
    cartItems: z.array(goods),
    primaryDeliveryDetails: z.strictObject({
      deliveryType: z.enum(['PHYSICAL', 'DIGITAL', 'HYBRID']).optional(),
      deliveryMethod: text.optional(),
    }),
    primaryRecipient: party.optional(),
    accountOwner: person.extend({ accountId: text.optional(), created: seconds.optional() }).optional(),
    payment: z.array(payment).min(1),
  })
  .refine(
    ({ payment: parts, totalAmount: { amountLocalCurrency: total } }) =>
      Math.abs(
        parts.reduce((sum, part) => sum + Number(part.amount.amountLocalCurrency), 0) - Number(total),
      ) < 0.0005,
    'The parts of the payment are not its total.',
  );

/** The body of `POST /v2/status/{orderId}`. */
export const statusBody = z.strictObject({
  orderId: text,
  eventId: text,
  eventTime: milliseconds,
  updatedStatus: z.enum(['PROCESSING', 'SENT', 'COMPLETED', 'CANCELED_BY_MERCHANT', 'RETURNED']),
  updatedMerchantStatus: text.optional(),
  statusChangeReason: text.optional(),
  updatedTotalAmount: amount.optional(),
  payment: z
    .array(
      z.strictObject({
        amount,
        creditCard: card.optional(),
        applePay: card.optional(),
        androidPay: card.optional(),
      }),
    )
    .optional(),
  verificationResults: verificationResults.optional(),
});

/** The body of `POST /v2/claims`. */
export const claimBody = z.strictObject({
  orderId: text,
  processorChargebackCaseId: text,
  status: z.enum(['OPEN', 'WON', 'LOST']),
  externalClaimStatus: text.optional(),
  amount,
  type: z.enum(['CHARGEBACK']),
  reasonCode: text.optional(),
  sourceType: z.enum(['PROCESSOR_CB']),
  issueDate: milliseconds,
  dueDate: milliseconds.optional(),
});

export type Report = z.output<typeof statusBody> | z.output<typeof claimBody>;

export type OrderBody = z.output<typeof orderBody>;
