import { OperatorError } from '../../platform/operator-error.ts';
import type { Access } from '../service/access.ts';
import { askForData } from '../service/ask.ts';

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

export const FIELDS = 'id status amount currency capturedAmount refundedAmount errorCode approvalUrl';

export const CARD = { number: '4111 1111 1111 1111', expirationDate: '12/39', securityCode: '100' };

type Question = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

type Done = { readonly userErrors: readonly { readonly message: string }[] };

/** Runs a mutation named `done`, and returns its payload. Throws an OperatorError for a refusal. */
export async function run<Payload>(access: Access, question: Question): Promise<Payload> {
  const { done } = await askForData<{ readonly done: Payload & Done }>(access, question);
  if (done.userErrors.length > 0)
    throw new OperatorError(
      `The sandbox refused. ${done.userErrors.map(({ message }) => message).join(' ')}`,
    );
  return done;
}

/** Creates a payment service for scenes, and returns its id. */
export async function createService(
  access: Access,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { paymentService } = await run<{ readonly paymentService: { readonly id: string } }>(access, {
    query: `mutation ($input: CreatePaymentServiceInput!) {
      done: createPaymentService(input: $input) { paymentService { id } userErrors { message } } }`,
    variables: { input: { acceptedCountries: ['US'], ...input } },
  });
  return paymentService.id;
}

/** A payment service that a scene may use. */
export type Service = {
  readonly id: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly threeDSecureEnabled: boolean;
  readonly definition: { readonly id: string };
  readonly acceptedCurrencies: readonly string[];
};

/** Lists the payment services of the account, at most 100. */
export async function listServices(access: Access): Promise<readonly Service[]> {
  const query = `{ paymentServices(first: 100) {
    nodes { id displayName active threeDSecureEnabled acceptedCurrencies definition { id } } } }`;
  const { paymentServices } = await askForData<{
    readonly paymentServices: { readonly nodes: readonly Service[] };
  }>(access, { query });
  return paymentServices.nodes;
}
