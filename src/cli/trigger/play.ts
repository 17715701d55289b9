import { OperatorError } from '../../platform/operator-error.ts';
import type { Access } from '../service/access.ts';
import { askForData } from '../service/ask.ts';
import type { Scene, Step } from './scenes.ts';

/** A payment after an act. Amounts are minor units. */
export type Payment = {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  readonly errorCode: string | null;
  readonly approvalUrl: string | null;
};

/** The result of an act: the status and the error code of its own record. */
export type Act = { readonly name: string; readonly status: string; readonly errorCode: string | null };

/** Called after each act. */
export type OnAct = (act: Act, payment: Payment) => void;

const FIELDS = 'id status amount currency capturedAmount refundedAmount errorCode approvalUrl';

type Answer = {
  readonly done: {
    readonly transaction: Payment | null;
    /** The capture, refund or void. A payment has no such record. */
    readonly record?: { readonly status: string; readonly errorCode?: string | null } | null;
    readonly userErrors: readonly { readonly message: string }[];
  };
};

/** Plays a scene at a running sandbox, and returns the payment at its end. Throws an OperatorError for a refusal. */
export async function playScene(access: Access, scene: Scene, onAct: OnAct): Promise<Payment> {
  let payment = await pay(access, scene);
  onAct({ ...payment, name: 'pay' }, payment);
  for (const step of scene.steps ?? []) {
    const { transaction, record } = await follow(access, payment, step);
    payment = transaction;
    onAct({ name: step.act, status: record?.status ?? '', errorCode: record?.errorCode ?? null }, payment);
  }
  return payment;
}

async function pay(access: Access, { amount, definition, capture, threeDS }: Scene): Promise<Payment> {
  const service = await serviceOf(access, definition ?? 'mock-card', threeDS === true);
  const input = {
    ...{ amount, currency: 'USD', country: 'US', paymentServiceId: service },
    intent: capture ? 'CAPTURE' : 'AUTHORIZE',
    paymentMethod: definition === 'mock-paypal' ? { redirect: { method: 'paypal' } } : { card: CARD },
    ...((threeDS || definition === 'mock-paypal') && { redirectUrl: RETURN_URL }),
    ...(threeDS && { threeDSecure: { request: 'ALWAYS' } }),
  };
  const { transaction } = await run(access, {
    query: `mutation ($input: CreateTransactionInput!) {
      done: createTransaction(input: $input) { transaction { ${FIELDS} } userErrors { message } } }`,
    variables: { input },
  });
  return transaction;
}

/** The page for a buyer who comes back from an approval. */
const RETURN_URL = 'https://example.com/';
const CARD = { number: '4111 1111 1111 1111', expirationDate: '12/39', securityCode: '100' };

const MUTATIONS = {
  capture: { field: 'captureTransaction', input: 'CaptureInput' },
  refund: { field: 'refundTransaction', input: 'RefundInput' },
  void: { field: 'voidTransaction', input: null },
} as const;

/** A payment after an act, with the record of the act. */
type Acted = { readonly transaction: Payment; readonly record: Answer['done']['record'] };

async function follow(access: Access, payment: Payment, step: Step): Promise<Acted> {
  const { field, input } = MUTATIONS[step.act];
  const amount = 'amount' in step ? (step.amount ?? payment.amount) : payment.amount;
  const [declared, given] = input === null ? ['', ''] : [`, $input: ${input}!`, ', input: $input'];
  return await run(access, {
    query: `mutation ($id: ID!${declared}) { done: ${field}(id: $id${given}) {
      record: ${step.act} { status errorCode } transaction { ${FIELDS} } userErrors { message } } }`,
    variables: { id: payment.id, ...(input !== null && { input: { amount } }) },
  });
}

type Question = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

async function run(access: Access, question: Question): Promise<Acted> {
  const { done } = await askForData<Answer>(access, question);
  const { transaction, record } = done;
  if (transaction === null)
    throw new OperatorError(
      `The sandbox refused. ${done.userErrors.map(({ message }) => message).join(' ')}`,
    );
  return { transaction, record };
}

type Service = {
  readonly id: string;
  readonly active: boolean;
  readonly threeDSecureEnabled: boolean;
  readonly definition: { readonly id: string };
  readonly acceptedCurrencies: readonly string[];
};

/** Finds a payment service of a definition, or creates one. */
async function serviceOf(access: Access, definition: string, threeDS: boolean): Promise<string> {
  const { paymentServices } = await askForData<{ paymentServices: { readonly nodes: readonly Service[] } }>(
    access,
    {
      query: `{ paymentServices(first: 100) {
      nodes { id active threeDSecureEnabled acceptedCurrencies definition { id } } } }`,
    },
  );
  const found = paymentServices.nodes.find(
    (each) =>
      each.definition.id === definition &&
      each.active &&
      each.threeDSecureEnabled === threeDS &&
      each.acceptedCurrencies.includes('USD'),
  );
  return found?.id ?? (await createService(access, definition, threeDS));
}

async function createService(access: Access, definition: string, threeDS: boolean): Promise<string> {
  const input = {
    displayName: threeDS ? `Scenes of ${definition} with 3-D Secure` : `Scenes of ${definition}`,
    paymentServiceDefinitionId: definition,
    fields: [{ key: 'merchant_id', value: 'scenes' }],
    acceptedCurrencies: ['USD'],
    acceptedCountries: ['US'],
    ...(threeDS && { threeDSecureEnabled: true }),
  };
  const { created } = await askForData<{
    readonly created: {
      readonly paymentService: { readonly id: string } | null;
      readonly userErrors: readonly { readonly message: string }[];
    };
  }>(access, {
    query: `mutation ($input: CreatePaymentServiceInput!) {
      created: createPaymentService(input: $input) { paymentService { id } userErrors { message } } }`,
    variables: { input },
  });
  if (created.paymentService === null)
    throw new OperatorError(created.userErrors.map(({ message }) => message).join(' '));
  return created.paymentService.id;
}
