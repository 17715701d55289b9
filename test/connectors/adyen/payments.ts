import { buyerFaultOf, type BuyerBody } from './buyer-rules.ts';
import { CANCELLED, decide, refuse, type Refused } from './decisions.ts';
import { METHOD_RULES, methodFaultOf, type MethodRequest } from './method-rules.ts';
import { isCapturedByItself, resolveMethod, type MethodBody, type Resolved } from './methods.ts';
import type { Amount, Decided, Decision, Payment, PaymentAnswer, StoredMethod } from './model.ts';
import { askClient } from './native-steps.ts';
import { orderFaultOf, type OrderBody } from './order-rules.ts';
import { invalid, missing, type Answer } from './refusals.ts';
import { splitsFaultOf, type SplitsBody } from './split-rules.ts';
import { book, owe, type Redirect, type State } from './state.ts';
import { oweToken } from './token-events.ts';

/** The fields of POST /payments that the double reads. The description has checked their types. */
export type PaymentBody = BuyerBody &
  OrderBody &
  SplitsBody &
  MethodRequest & {
    readonly amount: Amount;
    readonly merchantAccount: string;
    readonly reference: string;
    readonly returnUrl: string;
    readonly paymentMethod: MethodBody;
    readonly channel?: 'iOS' | 'Android' | 'Web';
    readonly origin?: string;
    readonly browserInfo?: object;
    readonly shopperReference?: string;
    readonly shopperInteraction?: 'Ecommerce' | 'ContAuth' | 'Moto' | 'POS';
    readonly recurringProcessingModel?: string;
    readonly storePaymentMethod?: boolean;
    readonly captureDelayHours?: number;
    readonly authenticationData?: {
      readonly attemptAuthentication?: 'always' | 'never';
      readonly threeDSRequestData?: { readonly nativeThreeDS?: 'preferred' | 'disabled' };
    };
    readonly mpiData?: {
      readonly cavv?: string;
      readonly authenticationResponse?: string;
      readonly tokenAuthenticationVerificationValue?: string;
    };
    readonly additionalData?: Readonly<Record<string, string>>;
  };

/** Answers POST /payments. */
export function pay(state: State, body: PaymentBody): Answer {
  const { settings, tokens } = state;
  const fault = faultOf(body);
  if (fault) return fault;
  const { shopperReference } = body;
  const find = (id: string) => tokens.get(id);
  const resolved = resolveMethod(body.paymentMethod, { shopperReference, rawCards: settings.rawCards, find });
  if ('status' in resolved) return resolved;
  const ofMethod = methodFaultOf(resolved.method.type, body);
  if (ofMethod) return ofMethod;
  const payment = open(state, body, resolved);
  state.payments.push(payment);
  if (state.stopped.has(payment.reference)) return conclude(state, payment, CANCELLED);
  if (resolved.method.type === 'scheme' && needsAuthentication(body, resolved))
    return isNative(state, body) ? stepIn(state, payment, resolved) : redirect(state, payment);
  if (resolved.method.type !== 'scheme' && resolved.method.asksForBuyer) return sendAway(state, payment);
  return conclude(state, payment, payment.answer.decision);
}

/** Refuses values that the description allows. */
function faultOf(body: PaymentBody): Answer | null {
  const { amount, shopperReference, shopperInteraction, recurringProcessingModel: model } = body;
  if (amount.value < 0) return invalid('137', 'Invalid amount specified');
  if (!/^[A-Z]{3}$/.test(amount.currency)) return invalid('138', 'Unsupported currency specified');
  if (body.reference === '' || body.reference.length > 80) return invalid('130', 'Reference Missing');
  if (body.storePaymentMethod && shopperReference === undefined) return missing('shopperReference');
  if ((body.storePaymentMethod || shopperInteraction === 'ContAuth') && model === undefined)
    return missing('recurringProcessingModel');
  // An authentication in a page needs the browser and the origin of the page.
  if (asksNatively(body) && (body.channel ?? 'Web') === 'Web') {
    if (body.browserInfo === undefined) return missing('browserInfo');
    if (body.origin === undefined) return missing('origin');
  }
  const delay = body.captureDelayHours ?? 0;
  if (delay < 0 || delay > 672) return invalid('702', 'Invalid captureDelayHours');
  return orderFaultOf(body) ?? splitsFaultOf(body, amount) ?? buyerFaultOf(body);
}

/** True if the payment waits for the buyer's authentication. */
function needsAuthentication(body: PaymentBody, { method, stored }: Resolved): boolean {
  const { shopperInteraction = 'Ecommerce', authenticationData, mpiData } = body;
  if (shopperInteraction !== 'Ecommerce' || mpiData || stored) return false;
  const attempt = authenticationData?.attemptAuthentication;
  return attempt === 'always' || (attempt === undefined && method.asksForBuyer);
}

function isNative(state: State, body: PaymentBody): boolean {
  if (state.nativeAnyway === 0) return asksNatively(body);
  state.nativeAnyway -= 1;
  return true;
}

const asksNatively = ({ authenticationData }: PaymentBody): boolean =>
  authenticationData?.threeDSRequestData?.nativeThreeDS === 'preferred';

/** Begins an authentication in the buyer's client. */
function stepIn(state: State, payment: Payment, { method }: Resolved): Answer {
  payment.status = 'waiting';
  return askClient(state, payment, method.steps);
}

function open(state: State, body: PaymentBody, resolved: Resolved): Payment {
  const { newId, now, captureDelay } = state.settings;
  const { method } = resolved;
  const isManual = body.additionalData?.['manualCapture'] === 'true';
  const isImmediate = body.captureDelayHours === 0 || captureDelay === 'immediate';
  return {
    pspReference: newId(),
    reference: body.reference,
    merchantAccount: body.merchantAccount,
    method: method.variant,
    amount: body.amount,
    createdAt: now(),
    capturesAtOnce: isCapturedByItself(method.type) || (!isManual && isImmediate),
    isPreAuthorised: body.additionalData?.['authorisationType'] === 'PreAuth',
    answer: answerOf(state, body, resolved),
    status: 'pending',
    decided: null,
    ...{ authorised: 0, captured: 0, refunded: 0, cancelled: 0, chargedBack: 0 },
    modifications: [],
    disputes: [],
  };
}

function answerOf(
  state: State,
  body: PaymentBody,
  { method, securityCode, stored }: Resolved,
): PaymentAnswer {
  const { mpiData, additionalData, amount } = body;
  const acquirerCode = additionalData?.['RequestedTestAcquirerResponseCode'];
  const ordered = decide({ value: amount.value, holderName: method.holderName, acquirerCode });
  return {
    type: method.type,
    lastFour: method.lastFour,
    expiry: method.expiry,
    additionalData: checksOf(body, method.type, securityCode),
    decision:
      mpiFault(mpiData) ??
      authenticationFault(body, method.asksForBuyer && !stored) ??
      expiryFault(method.expiry, state.settings.now()) ??
      debit(method.type, ordered),
    token: body.storePaymentMethod ? tokenOf(state, body, method) : null,
  };
}

/** A debit is received first, and its bank decides later. */
const debit = (type: string, decision: Decision): Decision =>
  type === 'sepadirectdebit' && decision.kind === 'authorised'
    ? { kind: 'later', resultCode: 'Received', then: decision }
    : decision;

/** Refuses a card after the last month that its front names. */
function expiryFault(expiry: string | null, now: Date): Decision | null {
  if (expiry === null) return null;
  const [month, year] = expiry.split('/').map(Number);
  return Date.UTC(year ?? 0, month ?? 0) <= now.getTime() ? refuse('6', '54') : null;
}

/** Refuses an authentication from outside that did not succeed, or has no proof. */
function mpiFault(mpiData: PaymentBody['mpiData']): Decision | null {
  if (!mpiData) return null;
  const { authenticationResponse = 'Y', tokenAuthenticationVerificationValue: cryptogram } = mpiData;
  const cavv = mpiData.cavv ?? cryptogram;
  if (['N', 'R'].includes(authenticationResponse)) return refuse('11');
  return ['Y', 'A'].includes(authenticationResponse) && cavv === undefined ? refuse('42') : null;
}

/** Refuses a payment without the authentication that the issuer asks for. */
function authenticationFault(body: PaymentBody, isAsked: boolean): Decision | null {
  const { shopperInteraction = 'Ecommerce', authenticationData, mpiData } = body;
  const isSkipped = authenticationData?.attemptAuthentication === 'never';
  return isAsked && isSkipped && !mpiData && shopperInteraction === 'Ecommerce' ? refuse('38') : null;
}

function tokenOf({ settings }: State, body: PaymentBody, method: Resolved['method']): StoredMethod {
  const { shopperReference = '', recurringProcessingModel: model } = body;
  return { id: settings.newId(), shopperReference, method, models: model === undefined ? [] : [model] };
}

/** The results of the checks in Adyen's words. */
function checksOf(
  { billingAddress, mpiData }: PaymentBody,
  type: string,
  securityCode: string | null,
): Readonly<Record<string, string>> {
  if (type !== 'scheme') return {};
  const failsAddress = billingAddress?.postalCode === '99999';
  const address = failsAddress
    ? '2 Neither postal code nor address match'
    : '7 Both postal code and address match';
  const code = securityCode === '999' ? "2 Doesn't Match" : '1 Matches';
  return {
    avsResult: billingAddress ? address : '4 AVS not supported for this card type',
    cvcResult: securityCode === null ? '6 No CVC/CVV provided' : code,
    threeDAuthenticated: String(mpiData?.authenticationResponse === 'Y'),
  };
}

/** Lets the buyer approve or pay elsewhere. */
function sendAway(state: State, payment: Payment): Answer {
  const { pspReference, reference: merchantReference, amount, answer } = payment;
  const { type: paymentMethodType } = answer;
  const facts = { pspReference, merchantReference, amount };
  switch (METHOD_RULES[paymentMethodType]?.flow) {
    case 'push':
      payment.status = 'waiting';
      return {
        status: 200,
        body: { ...facts, resultCode: 'Pending', action: { type: 'await', paymentMethodType } },
      };
    case 'qr':
      payment.status = 'waiting';
      return {
        status: 200,
        body: {
          ...facts,
          resultCode: 'Pending',
          action: {
            ...{ type: 'qrCode', paymentMethodType, qrCodeData: `00020101021226${pspReference}` },
            expiresAt: momentIn(state, CODE_MS),
            ...(METHOD_RULES[paymentMethodType].opensApp && { url: `${APPS}${pspReference}` }),
          },
        },
      };
    case 'voucher': {
      payment.status = 'waiting';
      const isOfEntity = paymentMethodType === 'multibanco';
      const action = {
        ...{ type: 'voucher', paymentMethodType, reference: '501422944', totalAmount: amount },
        expiresAt: momentIn(state, VOUCHER_MS),
        ...(isOfEntity ? { entity: '12101' } : { downloadUrl: `${VOUCHERS}${pspReference}` }),
      };
      return { status: 200, body: { ...facts, resultCode: 'PresentToShopper', action } };
    }
    default:
      return redirect(state, payment);
  }
}

/** The times of a code and of a voucher. */
const CODE_MS = 15 * 60_000;
const VOUCHER_MS = 3 * 86_400_000;

const momentIn = ({ settings }: State, ms: number): string =>
  new Date(settings.now().getTime() + ms).toISOString();

const APPS = 'https://checkoutshopper-test.adyen.com/checkoutshopper/app?code=';
const VOUCHERS = 'https://checkoutshopper-test.adyen.com/checkoutshopper/voucher.shtml?reference=';

/** Sends the buyer to a page. The answer has no psp reference, as Adyen's redirects may have none. */
function redirect(state: State, payment: Payment): Answer {
  payment.status = 'waiting';
  const { redirectMethod: method } = state.settings;
  const url = 'https://checkoutshopper-test.adyen.com/checkoutshopper/checkoutPaymentRedirect';
  const query = `?redirectData=${payment.pspReference}`;
  const where =
    method === 'GET' ? { url: url + query } : { url, data: { MD: payment.pspReference, PaReq: 'eNpV' } };
  const action = { type: 'redirect', method, paymentMethodType: payment.answer.type, ...where };
  return { status: 200, body: { resultCode: 'RedirectShopper', action } };
}

/** Answers with a decision, and owes its webhook. */
export function conclude(state: State, payment: Payment, decision: Decision): Answer {
  const { pspReference, reference: merchantReference, amount } = payment;
  if (decision.kind === 'later') {
    payment.status = 'pending';
    if (decision.resultCode === 'Pending') owe(state, payment, { eventCode: 'PENDING' });
    state.open.push(() => {
      if (payment.status === 'pending') conclude(state, payment, decision.then);
    });
    return {
      status: 200,
      body: { pspReference, merchantReference, amount, resultCode: decision.resultCode },
    };
  }
  payment.decided = decision;
  if (decision.kind === 'authorised') authorise(state, payment, decision.value);
  else fail(state, payment, decision);
  return statusAnswer(state, payment, decision);
}

function authorise(state: State, payment: Payment, part: number | null): void {
  const { amount, answer } = payment;
  payment.status = 'authorised';
  payment.authorised = part ?? amount.value;
  if (payment.capturesAtOnce) {
    payment.captured = payment.authorised;
    const modification = { pspReference: payment.pspReference, reference: '' };
    const settled = { ...amount, value: payment.authorised };
    book(state, { type: 'Settled', payment, modification, amount: settled });
  }
  const { lastFour, expiry } = answer;
  owe(state, payment, {
    eventCode: 'AUTHORISATION',
    amount: { ...amount, value: payment.authorised },
    reason: [AUTH_CODE, lastFour, expiry].filter((each) => each !== null).join(':'),
    operations: payment.capturesAtOnce ? ['REFUND'] : ['CANCEL', 'CAPTURE', 'REFUND'],
    additionalData: extrasOf(state, payment),
  });
  if (answer.token) storeToken(state, payment, answer.token);
}

const AUTH_CODE = '044925';

function storeToken(state: State, payment: Payment, token: StoredMethod): void {
  const { id, shopperReference } = token;
  state.tokens.set(id, token);
  oweToken(state, 'recurring.token.created', token, payment.pspReference);
  if (state.settings.tokenIn === 'answer') return;
  owe(state, payment, {
    eventCode: 'RECURRING_CONTRACT',
    amount: { value: 0, currency: payment.amount.currency },
    pspReference: id,
    originalReference: payment.pspReference,
    additionalData: { shopperReference, 'recurring.recurringDetailReference': id },
  });
}

function fail(state: State, payment: Payment, { resultCode, reason, raw }: Refused): void {
  payment.status = resultCode === 'Cancelled' ? 'cancelled' : 'refused';
  const additionalData = { refusalReasonRaw: raw };
  owe(state, payment, { eventCode: 'AUTHORISATION', success: false, reason, additionalData });
}

/** The additional data of an authorised payment, as answers and webhooks show them. */
function extrasOf(state: State, { pspReference, answer, method }: Payment): Readonly<Record<string, string>> {
  const { token, lastFour, expiry, additionalData, type } = answer;
  const tokens: Record<string, string> =
    token && state.settings.tokenIn === 'answer'
      ? {
          'tokenization.shopperReference': token.shopperReference,
          'tokenization.storedPaymentMethodId': token.id,
          'tokenization.store.operationType': 'created',
        }
      : {};
  if (!state.settings.additionalData) return tokens;
  const card = {
    authCode: AUTH_CODE,
    networkTxReference: `7${pspReference}`,
    refusalReasonRaw: 'AUTHORISED',
  };
  return {
    ...tokens,
    ...additionalData,
    paymentMethod: method,
    ...(type === 'scheme' ? card : {}),
    ...(lastFour === null ? {} : { cardSummary: lastFour }),
    ...(expiry === null ? {} : { expiryDate: expiry.replace(/^0/, '') }),
  };
}

/** Answers with the present state of a decided payment. */
function statusAnswer(state: State, payment: Payment, decision: Decided): Answer {
  const { pspReference, reference: merchantReference, amount, answer, method } = payment;
  const facts = { pspReference, merchantReference, paymentMethod: { brand: method, type: answer.type } };
  if (decision.kind === 'authorised') {
    const isPart = payment.authorised < amount.value;
    const authorised = { ...amount, value: payment.authorised };
    const resultCode = isPart ? 'PartiallyAuthorised' : 'Authorised';
    return {
      status: 200,
      body: { ...facts, resultCode, amount: authorised, additionalData: extrasOf(state, payment) },
    };
  }
  const { code: refusalReasonCode, reason: refusalReason, raw, resultCode } = decision;
  const additionalData = state.settings.additionalData ? { refusalReasonRaw: raw } : {};
  return {
    status: 200,
    body: { ...facts, resultCode, refusalReason, refusalReasonCode, amount, additionalData },
  };
}

/** Continues a payment with the result of the buyer's visit. An ended payment stays as it is. */
export function returned(state: State, payment: Payment, result: Redirect['result']): Answer {
  const { answer, decided, pspReference, reference: merchantReference, amount } = payment;
  if (decided) return statusAnswer(state, payment, decided);
  if (payment.status !== 'waiting') return statusAnswer(state, payment, CANCELLED);
  if (result === 'undecided')
    return { status: 200, body: { pspReference, merchantReference, amount, resultCode: 'Pending' } };
  if (result === 'cancel') return conclude(state, payment, refuse('16'));
  return conclude(state, payment, result === 'approve' ? answer.decision : refuse('11'));
}
