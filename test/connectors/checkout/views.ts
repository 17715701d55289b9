import {
  balancesOf,
  statusOf,
  type Action,
  type Dispute,
  type Payment,
  type Source,
  type World,
} from './world.ts';

const SUMMARIES: Readonly<Record<string, string>> = {
  ...{ 10000: 'Approved', 20005: 'Declined - Do Not Honour', 20014: 'Invalid Card Number' },
  ...{ 20051: 'Insufficient Funds', 20054: 'Expired Card', 20154: 'Authentication Required' },
};

const summaryOf = (code: string): string => SUMMARIES[code] ?? `Response ${code}`;

const linkTo = (href: string) => ({ href });

const linksOf = ({ pages }: World, payment: Payment) => {
  const self = `https://api.sandbox.checkout.com/payments/${payment.id}`;
  return {
    self: linkTo(self),
    actions: linkTo(`${self}/actions`),
    ...(payment.isWaiting && { redirect: linkTo(`${pages}/interceptor/${payment.sessionId}`) }),
  };
};

/** Shows a card. A refused payment of a new card has no id of the card. */
function sourceView({ id, number, month, year, name }: Source, isKept: boolean): object {
  return {
    ...(isKept && { id }),
    ...{ type: 'card', expiry_month: month, expiry_year: year, ...(name !== null && { name }) },
    ...{ scheme: number.startsWith('4') ? 'Visa' : 'Mastercard', last4: number.slice(-4) },
    ...{
      fingerprint: 'F0'.repeat(32),
      bin: number.slice(0, 6),
      card_type: 'Credit',
      card_category: 'Consumer',
    },
    ...{
      issuer: 'BANK OF THE DOUBLE',
      issuer_country: 'US',
      product_id: 'A',
      product_type: 'Visa Traditional',
    },
    ...{ avs_check: 'S', cvv_check: 'Y' },
  };
}

/** An object without a reference has no such field. */
export const referenceOf = (reference: string | null): object => (reference === null ? {} : { reference });

const isApproved = ({ end, isWaiting }: Payment): boolean => end === null && !isWaiting;

const decidedBy = ({ actions }: Payment): Action | undefined =>
  actions.find(({ type }) => type === 'Authorization' || type === 'Card Verification');

const authenticationOf = ({ body }: Payment): object =>
  body['3ds']?.enabled ? { '3ds': { downgraded: false, enrolled: 'Y' } } : {};

/** The first answer to a payment. */
export function answerView(
  world: World,
  payment: Payment,
): { readonly status: number; readonly body: object } {
  const { id, reference } = payment;
  const links = { _links: linksOf(world, payment) };
  if (payment.isWaiting)
    return {
      status: 202,
      body: { id, status: 'Pending', ...referenceOf(reference), ...authenticationOf(payment), ...links },
    };
  const action = decidedBy(payment);
  return {
    status: 201,
    body: {
      ...{ id, action_id: action?.id, amount: payment.amount, currency: payment.currency },
      ...{ approved: isApproved(payment), status: statusOf(payment), ...decisionView(payment, action) },
      ...{ ...authenticationOf(payment), risk: { flagged: false } },
      source: sourceView(payment.source, isApproved(payment)),
      ...(isApproved(payment) && { eci: '05', scheme_id: payment.schemeId, balances: balancesOf(payment) }),
      ...{ processed_on: payment.requestedAt.toISOString(), ...referenceOf(reference), ...links },
    },
  };
}

const decisionView = ({ authCode }: Payment, action: Action | undefined): object =>
  action
    ? {
        ...(action.approved === true && { auth_code: authCode }),
        ...{ response_code: action.code, response_summary: summaryOf(action.code) },
      }
    : {};

/** A payment as a read shows it. The codes are in its actions alone. */
export const detailsView = (world: World, payment: Payment): object => ({
  ...{ id: payment.id, requested_on: payment.requestedAt.toISOString() },
  source: sourceView(payment.source, isApproved(payment)),
  ...{ amount: payment.amount, currency: payment.currency, ...referenceOf(payment.reference) },
  ...{ payment_type: payment.body.payment_type ?? 'Regular', status: statusOf(payment) },
  ...{ approved: isApproved(payment), ...authenticationOf(payment), risk: { flagged: false } },
  ...(isApproved(payment) && { eci: '05', scheme_id: payment.schemeId }),
  ...(isApproved(payment) && world.settings.showsBalances && { balances: balancesOf(payment) }),
  metadata: payment.metadata,
  actions: payment.actions
    .filter(({ approved }) => approved !== null)
    .map(({ id, type, code }) => ({ id, type, response_code: code, response_summary: summaryOf(code) })),
  _links: linksOf(world, payment),
});

export const actionView = (payment: Payment, action: Action): object => ({
  ...{ id: action.id, type: action.type, processed_on: action.at.toISOString(), amount: action.amount },
  ...(action.approved !== null && { approved: action.approved, response_code: action.code }),
  ...(action.approved !== null && { response_summary: summaryOf(action.code) }),
  ...(action.type === 'Authorization' && action.approved && { auth_code: payment.authCode }),
  ...(action.type === 'Card Verification' && action.approved && { auth_code: payment.authCode }),
  ...{ ...referenceOf(action.reference), metadata: action.metadata },
});

/** The data of an event about the payment itself. */
export const paymentData = ({ settings }: World, payment: Payment): object => ({
  ...{ id: payment.id, action_id: decidedBy(payment)?.id, processing_channel_id: settings.channel },
  ...{ amount: payment.amount, currency: payment.currency, ...authenticationOf(payment) },
  ...decisionView(payment, decidedBy(payment)),
  ...{ reference: payment.reference, metadata: payment.metadata },
  source: sourceView(payment.source, isApproved(payment)),
  ...(isApproved(payment) && { scheme_id: payment.schemeId, balances: balancesOf(payment) }),
  processed_on: payment.requestedAt.toISOString(),
});

/** The data of an event about a change. The documentation does not say whose names the event has. */
export function changeData({ settings, now }: World, payment: Payment, action: Action): object {
  const { eventNames, channel } = settings;
  const isOfPayment = eventNames === 'payment' || eventNames === 'payment_reference';
  return {
    ...{ id: payment.id, action_id: action.id, amount: action.amount, currency: payment.currency },
    reference: isOfPayment ? payment.reference : action.reference,
    ...(eventNames !== 'payment_reference' && {
      metadata: eventNames === 'own' ? action.metadata : payment.metadata,
    }),
    ...{ processing_channel_id: channel, balances: balancesOf(payment), processed_on: now().toISOString() },
    ...(action.approved !== null && {
      response_code: action.code,
      response_summary: summaryOf(action.code),
    }),
  };
}

const moneyOf = ({ payment, amount }: Dispute) => ({ amount, currency: payment.currency });

export const disputeView = (dispute: Dispute): object => ({
  ...{ id: dispute.id, category: dispute.category, reason_code: dispute.reasonCode, ...moneyOf(dispute) },
  status: dispute.status,
  ...(dispute.resolvedReason !== null && { resolved_reason: dispute.resolvedReason }),
  evidence_required_by: dispute.respondBy.toISOString(),
  payment: { id: dispute.payment.id, action_id: captureOf(dispute)?.id, ...moneyOf(dispute) },
});

export const disputeData = (dispute: Dispute): object => ({
  ...{ id: dispute.id, category: dispute.category, reason_code: dispute.reasonCode, ...moneyOf(dispute) },
  ...{ payment_id: dispute.payment.id, payment_action_id: captureOf(dispute)?.id },
  ...{ payment_reference: dispute.payment.reference, evidence_required_by: dispute.respondBy.toISOString() },
  ...(dispute.resolvedReason !== null && { resolved_reason: dispute.resolvedReason }),
});

/** The evidence of a dispute. The description of the read has one kind of evidence alone. */
export const evidenceView = ({ settings }: World, { evidence }: Dispute): object =>
  Object.fromEntries(
    Object.entries(evidence).filter(
      ([name]) => settings.showsEvidenceText || name.startsWith('proof_of_delivery_or_service'),
    ),
  );

const captureOf = ({ payment }: Dispute): Action | undefined =>
  payment.actions.find(({ type, approved }) => type === 'Capture' && approved);
