import {
  feeOf,
  moneyOf,
  textAt,
  timeText,
  type Authorization,
  type Capture,
  type Dispute,
  type Link,
  type Order,
  type PaymentToken,
  type PayPalWorld,
  type Refund,
} from './world.ts';

const get = (href: string, rel: string): Link => ({ href, rel, method: 'GET' });
const post = (href: string, rel: string): Link => ({ href, rel, method: 'POST' });

/** Returns the address of the page on which the buyer approves an order. */
export const approvalLink = ({ pages }: PayPalWorld, { id }: Order, rel: string): Link =>
  get(`${pages}/checkoutnow?token=${id}`, rel);

/** Returns an order as PayPal shows it. Without the preference for the whole, only its id, status and links. */
export function orderView(world: PayPalWorld, order: Order, isWhole = true): object {
  const { id, intent, status, source } = order;
  const links = linksOf(world, order);
  if (!isWhole) return { id, status, ...(source ? { payment_source: { [source]: {} } } : {}), links };
  const authorizations = [...world.authorizations.values()].filter(({ orderId }) => orderId === id);
  const captures = [...world.captures.values()].filter(({ orderId }) => orderId === id);
  const refunds = [...world.refunds.values()].filter(
    ({ orderId, isReversal }) => orderId === id && !isReversal,
  );
  const payments = {
    ...(authorizations.length > 0
      ? { authorizations: authorizations.map((each) => authorizationView(world, each)) }
      : {}),
    ...(captures.length > 0 ? { captures: captures.map((each) => captureView(world, each)) } : {}),
    ...(refunds.length > 0 ? { refunds: refunds.map((each) => refundView(world, each)) } : {}),
  };
  return {
    ...{ id, intent, status },
    ...(source ? { payment_source: { [source]: sourceView(order) } } : {}),
    purchase_units: [
      {
        reference_id: 'default',
        ...order.unit,
        payee: payeeOf(world),
        ...(Object.keys(payments).length > 0 ? { payments } : {}),
      },
    ],
    ...(order.payer ? { payer: payerView(order.payer) } : {}),
    ...{ create_time: timeText(order.createdAt), update_time: timeText(order.updatedAt), links },
  };
}

function linksOf(world: PayPalWorld, order: Order): readonly Link[] {
  const self = `${world.settings.api}/v2/checkout/orders/${order.id}`;
  const next = order.intent === 'AUTHORIZE' ? 'authorize' : 'capture';
  switch (order.status) {
    case 'CREATED':
      return [
        get(self, 'self'),
        approvalLink(world, order, 'approve'),
        { href: self, rel: 'update', method: 'PATCH' },
        post(`${self}/${next}`, next),
      ];
    case 'PAYER_ACTION_REQUIRED':
      return [get(self, 'self'), approvalLink(world, order, 'payer-action')];
    case 'APPROVED':
      return [
        get(self, 'self'),
        { href: self, rel: 'update', method: 'PATCH' },
        post(`${self}/${next}`, next),
      ];
    default:
      return [get(self, 'self')];
  }
}

const payerView = ({ id, email }: NonNullable<Order['payer']>): object => ({
  ...{ email_address: email, payer_id: id },
  ...{ name: { given_name: 'John', surname: 'Doe' }, address: { country_code: 'US' } },
});

function sourceView({ source, sourceRequest, payer, token }: Order): object {
  const attributes = token ? { attributes: { vault: { ...tokenFacts(token), status: 'VAULTED' } } } : {};
  if (source === 'card')
    return {
      ...{ name: textAt(sourceRequest, 'name') ?? 'John Doe' },
      ...{ last_digits: textAt(sourceRequest, 'number')?.slice(-4) ?? '1111', brand: 'VISA', type: 'CREDIT' },
      ...attributes,
    };
  if (!payer) return {};
  return {
    ...{ email_address: payer.email, account_id: payer.id, account_status: 'VERIFIED' },
    ...{ name: { given_name: 'John', surname: 'Doe' }, address: { country_code: 'US' }, ...attributes },
  };
}

const tokenFacts = ({ id, customerId }: PaymentToken): object => ({ id, customer: { id: customerId } });

/** Returns a stored payment method as the vault shows it. */
export const tokenView = ({ settings }: PayPalWorld, token: PaymentToken): object => ({
  ...tokenFacts(token),
  payment_source: {
    [token.source]:
      token.source === 'card'
        ? { brand: 'VISA', last_digits: '1111' }
        : { email_address: token.payer.email, account_id: token.payer.id },
  },
  links: [
    get(`${settings.api}/v3/vault/payment-tokens/${token.id}`, 'self'),
    { href: `${settings.api}/v3/vault/payment-tokens/${token.id}`, rel: 'delete', method: 'DELETE' },
  ],
});

const namesOf = ({
  customId,
  invoiceId,
}: Pick<Capture, 'customId' | 'invoiceId'>): Readonly<Record<string, string>> => ({
  ...(customId === null ? {} : { custom_id: customId }),
  ...(invoiceId === null ? {} : { invoice_id: invoiceId }),
});

const payeeOf = ({ settings }: PayPalWorld): object => ({
  email_address: 'merchant@example.com',
  merchant_id: settings.merchantId,
});

const reasonOf = (reason: string | null): object => (reason === null ? {} : { status_details: { reason } });

const relatedTo = (orderId: string, authorizationId: string | null): object => ({
  related_ids: { order_id: orderId, ...(authorizationId ? { authorization_id: authorizationId } : {}) },
});

export function authorizationView(world: PayPalWorld, authorization: Authorization): object {
  const { settings } = world;
  const { id, status, reason, amount, orderId } = authorization;
  const self = `${settings.api}/v2/payments/authorizations/${id}`;
  return {
    ...{ id, status, ...reasonOf(reason), amount: moneyOf(amount.currency, amount.minor) },
    ...namesOf(authorization),
    seller_protection: { status: 'ELIGIBLE', dispute_categories: ['ITEM_NOT_RECEIVED'] },
    ...{ supplementary_data: relatedTo(orderId, null), payee: payeeOf(world) },
    expiration_time: timeText(authorization.expiresAt),
    ...{ create_time: timeText(authorization.createdAt), update_time: timeText(authorization.updatedAt) },
    links: [
      get(self, 'self'),
      ...[post(`${self}/capture`, 'capture'), post(`${self}/void`, 'void')],
      ...[post(`${self}/reauthorize`, 'reauthorize')],
      get(`${settings.api}/v2/checkout/orders/${orderId}`, 'up'),
    ],
  };
}

export function captureView(world: PayPalWorld, capture: Capture): object {
  const { settings, orders } = world;
  const { id, status, reason, amount, orderId, authorizationId } = capture;
  const { currency, minor } = amount;
  const self = `${settings.api}/v2/payments/captures/${id}`;
  const fee = feeOf(minor);
  const hasMoney = status !== 'PENDING' && status !== 'DECLINED' && status !== 'FAILED';
  return {
    ...{ id, status, ...reasonOf(reason), amount: moneyOf(currency, minor), final_capture: capture.isFinal },
    ...{ ...namesOf(capture), disbursement_mode: 'INSTANT' },
    seller_protection: { status: 'ELIGIBLE', dispute_categories: ['ITEM_NOT_RECEIVED'] },
    ...(hasMoney
      ? {
          seller_receivable_breakdown: {
            ...{ gross_amount: moneyOf(currency, minor), paypal_fee: moneyOf(currency, fee) },
            net_amount: moneyOf(currency, minor - fee),
          },
        }
      : {}),
    ...(orders.get(orderId)?.source === 'card'
      ? {
          processor_response: { avs_code: 'Y', cvv_code: 'M', response_code: '0000' },
          network_transaction_reference: { id: `0123456789${id.slice(-5)}`, network: 'VISA' },
        }
      : {}),
    ...{ supplementary_data: relatedTo(orderId, authorizationId), payee: payeeOf(world) },
    ...{ create_time: timeText(capture.createdAt), update_time: timeText(capture.updatedAt) },
    links: [
      get(self, 'self'),
      post(`${self}/refund`, 'refund'),
      authorizationId === null
        ? get(`${settings.api}/v2/checkout/orders/${orderId}`, 'up')
        : get(`${settings.api}/v2/payments/authorizations/${authorizationId}`, 'up'),
    ],
  };
}

export function refundView({ settings, refunds }: PayPalWorld, refund: Refund): object {
  const { id, status, reason, captureId, note } = refund;
  const { currency, minor } = refund.amount;
  const total = [...refunds.values()]
    .filter((each) => each.captureId === captureId && each.status !== 'FAILED' && !each.isReversal)
    .reduce((sum, { amount }) => sum + amount.minor, 0);
  return {
    ...{ id, status, ...reasonOf(reason), amount: moneyOf(currency, minor), ...namesOf(refund) },
    ...(note === null ? {} : { note_to_payer: note }),
    seller_payable_breakdown: {
      ...{ gross_amount: moneyOf(currency, minor), paypal_fee: moneyOf(currency, 0) },
      ...{ net_amount: moneyOf(currency, minor), total_refunded_amount: moneyOf(currency, total) },
    },
    ...{ create_time: timeText(refund.createdAt), update_time: timeText(refund.updatedAt) },
    links: [
      get(`${settings.api}/v2/payments/refunds/${id}`, 'self'),
      get(`${settings.api}/v2/payments/captures/${captureId}`, 'up'),
    ],
  };
}

export function disputeView(world: PayPalWorld, dispute: Dispute, isWhole = true): object {
  const { id, reason, status, stage, outcome, amount, dueAt, evidences, captureId } = dispute;
  const self = `${world.settings.api}/v1/customer/disputes/${id}`;
  const capture = world.captures.get(captureId);
  const isOpen = status === 'WAITING_FOR_SELLER_RESPONSE';
  const money = moneyOf(amount.currency, amount.minor);
  return {
    ...{ dispute_id: id, create_time: dispute.createdAt.toISOString() },
    update_time: dispute.updatedAt.toISOString(),
    ...{ reason, status, dispute_state: stateOf(dispute), dispute_amount: money },
    ...(outcome === null ? {} : { dispute_outcome: { outcome_code: outcome, amount_refunded: money } }),
    ...{ dispute_life_cycle_stage: stage, dispute_channel: 'INTERNAL' },
    ...(dueAt === null ? {} : { seller_response_due_date: dueAt.toISOString() }),
    ...(isWhole
      ? {
          disputed_transactions: [
            {
              ...{ seller_transaction_id: captureId, transaction_status: 'COMPLETED' },
              ...(capture ? { gross_amount: moneyOf(capture.amount.currency, capture.amount.minor) } : {}),
              ...(capture?.customId ? { custom: capture.customId } : {}),
              ...(capture?.invoiceId ? { invoice_number: capture.invoiceId } : {}),
              seller: { merchant_id: world.settings.merchantId, name: 'Merchant' },
            },
          ],
          ...(evidences.length > 0 ? { evidences } : {}),
          ...(isOpen
            ? { allowed_response_options: { accept_claim: { accept_claim_types: ['REFUND'] } } }
            : {}),
        }
      : {}),
    links: [
      get(self, 'self'),
      ...(isOpen
        ? [post(`${self}/provide-evidence`, 'provide_evidence'), post(`${self}/accept-claim`, 'accept_claim')]
        : []),
    ],
  };
}

function stateOf({ status }: Dispute): string {
  if (status === 'RESOLVED') return 'RESOLVED';
  if (status === 'UNDER_REVIEW') return 'UNDER_PAYPAL_REVIEW';
  return status === 'WAITING_FOR_SELLER_RESPONSE' ? 'REQUIRED_ACTION' : 'REQUIRED_OTHER_PARTY_ACTION';
}
