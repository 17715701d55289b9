import type { Access } from '../service/access.ts';
import { CARD, createService, FIELDS, listServices, run, type OnAct, type Payment } from './ask-sandbox.ts';
import { playFault } from './play-fault.ts';
import type { PaymentScene, Scene, Step } from './scenes.ts';

/** Plays a scene at a running sandbox, and returns the payment at its end. Throws an OperatorError for a refusal. */
export async function playScene(access: Access, scene: Scene, onAct: OnAct): Promise<Payment> {
  if ('fault' in scene) return await playFault(access, scene, onAct);
  let payment = await pay(access, scene);
  onAct({ ...payment, name: 'pay' }, payment);
  for (const step of scene.steps ?? []) {
    const { transaction, record } = await follow(access, payment, step);
    payment = transaction;
    onAct({ name: step.act, status: record.status, errorCode: record.errorCode }, payment);
  }
  return payment;
}

async function pay(access: Access, { amount, definition, capture, threeDS }: PaymentScene): Promise<Payment> {
  const service = await serviceOf(access, definition ?? 'mock-card', threeDS === true);
  const input = {
    ...{ amount, currency: 'USD', country: 'US', paymentServiceId: service },
    intent: capture ? 'CAPTURE' : 'AUTHORIZE',
    paymentMethod: definition === 'mock-paypal' ? { redirect: { method: 'paypal' } } : { card: CARD },
    ...((threeDS || definition === 'mock-paypal') && { redirectUrl: RETURN_URL }),
    ...(threeDS && { threeDSecure: { request: 'ALWAYS' } }),
  };
  const { transaction } = await run<{ readonly transaction: Payment }>(access, {
    query: `mutation ($input: CreateTransactionInput!) {
      done: createTransaction(input: $input) { transaction { ${FIELDS} } userErrors { message } } }`,
    variables: { input },
  });
  return transaction;
}

/** The page for a buyer who comes back from an approval. */
const RETURN_URL = 'https://example.com/';

const MUTATIONS = {
  capture: { field: 'captureTransaction', input: 'CaptureInput' },
  refund: { field: 'refundTransaction', input: 'RefundInput' },
  void: { field: 'voidTransaction', input: null },
} as const;

/** A payment after an act, with the capture, refund or void. */
type Acted = {
  readonly transaction: Payment;
  readonly record: { readonly status: string; readonly errorCode: string | null };
};

async function follow(access: Access, payment: Payment, step: Step): Promise<Acted> {
  const { field, input } = MUTATIONS[step.act];
  const amount = 'amount' in step ? (step.amount ?? payment.amount) : payment.amount;
  const [declared, given] = input === null ? ['', ''] : [`, $input: ${input}!`, ', input: $input'];
  return await run<Acted>(access, {
    query: `mutation ($id: ID!${declared}) { done: ${field}(id: $id${given}) {
      record: ${step.act} { status errorCode } transaction { ${FIELDS} } userErrors { message } } }`,
    variables: { id: payment.id, ...(input !== null && { input: { amount } }) },
  });
}

/** Finds a payment service of a definition, or creates one. */
async function serviceOf(access: Access, definition: string, threeDS: boolean): Promise<string> {
  const found = (await listServices(access)).find(
    (each) =>
      each.definition.id === definition &&
      each.active &&
      each.threeDSecureEnabled === threeDS &&
      each.acceptedCurrencies.includes('USD'),
  );
  if (found) return found.id;
  return await createService(access, {
    displayName: threeDS ? `Scenes of ${definition} with 3-D Secure` : `Scenes of ${definition}`,
    paymentServiceDefinitionId: definition,
    fields: [{ key: 'merchant_id', value: 'scenes' }],
    acceptedCurrencies: ['USD'],
    ...(threeDS && { threeDSecureEnabled: true }),
  });
}
