import {
  byApi,
  capture,
  captureChild,
  findTransaction,
  pay,
  readAmount,
  refund,
  reverse,
  type Asked,
} from './payments.ts';
import { refuseInvalid, refuseMissing } from './refusal.ts';
import { disputeView, refundView, transactionView } from './views.ts';
import { asRead, globalIdOf, type Dispute, type Method, type Transaction, type World } from './world.ts';

/** The input of a change, whose form the schema has checked. */
type Input = { readonly [name: string]: unknown } & { readonly clientMutationId?: string | null };
type Given = { readonly input: Input };

type PaymentInput = Input & {
  readonly paymentMethodId: string;
  readonly transaction: {
    readonly amount: string;
    readonly merchantAccountId?: string | null;
    readonly orderId?: string | null;
    readonly vaultPaymentMethodAfterTransacting?: object | null;
    readonly customerDetails?: object | null;
  };
};

type PartInput = Input & {
  readonly transactionId: string;
  readonly transaction?: {
    readonly amount?: string | null;
    readonly orderId?: string | null;
    readonly finalCapture?: boolean | null;
  } | null;
  readonly refund?: { readonly amount?: string | null; readonly orderId?: string | null } | null;
};

/** The root fields of the API. `file` is the file of a form, in base64. */
export function resolversOf(world: World, file: string | null) {
  const fields = { ...queriesOf(world), ...changesOf(world), ...disputeChangesOf(world, file) };
  /** Does before a change what a test ordered, or refuses the change. */
  const afterOrders =
    (name: string, resolve: (given: never) => unknown) =>
    (given: never): unknown => {
      const { input } = given as { readonly input?: { readonly transactionId?: string } };
      const refusal = world.refusals.find(
        ({ field, transactionId }) => field === name && transactionId === input?.transactionId,
      );
      if (refusal) refuseInvalid(refusal.code, 'The request is refused by the order of a test.');
      const order = world.actsBefore.find(({ field }) => field === name);
      if (order) {
        world.actsBefore.splice(world.actsBefore.indexOf(order), 1);
        order.act();
      }
      return resolve(given);
    };
  return Object.fromEntries(
    Object.entries(fields).map(([name, resolve]) => [
      name,
      afterOrders(name, resolve as (given: never) => unknown),
    ]),
  );
}

type Text = { readonly is?: string | null; readonly startsWith?: string | null };

const queriesOf = (world: World) => ({
  ping: () => 'pong',
  viewer: () => ({
    merchant: {
      id: 'merchant_of_the_double',
      merchantAccounts: () => ({
        edges: Object.entries(world.settings.merchantAccounts).map(([id, currencyCode]) => ({
          node: { id, currencyCode },
        })),
        pageInfo: { hasNextPage: false, hasPreviousPage: false },
      }),
    },
  }),
  node: ({ id }: { readonly id: string }) => {
    const found = world.transactions.get(id);
    if (found) return transactionView(asRead(world), found);
    const dispute = world.disputes.get(id);
    return dispute ? disputeView(world, dispute) : refuseMissing('Node');
  },
  search: () => ({
    transactions: ({
      input,
      first = 50,
    }: {
      readonly input: { readonly orderId?: Text | null };
      readonly first?: number;
    }) => {
      const found = [...world.transactions.values()]
        .toReversed()
        .filter((each) => isFound(world, each, input.orderId));
      return {
        edges: found.slice(0, first).map((each) => ({ node: transactionView(asRead(world), each) })),
        pageInfo: { hasNextPage: found.length > first, hasPreviousPage: false },
      };
    },
  }),
});

/** True if the search shows a transaction already, and the order id fits. */
function isFound(
  { settings, now, hidden }: World,
  { id, orderId, createdAt }: Transaction,
  text?: Text | null,
): boolean {
  if (hidden.has(id)) return false;
  if (now().getTime() < createdAt.getTime() + settings.searchLagMs) return false;
  if (text?.is != null && orderId !== text.is) return false;
  return text?.startsWith == null || orderId?.startsWith(text.startsWith) === true;
}

function changesOf(world: World) {
  const find = (id: string): Transaction => findTransaction(world, id);
  const shown = (transaction: Transaction, { clientMutationId }: Input) => ({
    ...{ clientMutationId, transaction: transactionView(world, transaction) },
  });
  const payAs = (input: Input, isSale: boolean) => {
    const asked = askedBy(world, input as PaymentInput, isSale);
    return shown(pay(world, asked, byApi(input.clientMutationId)), input);
  };
  return {
    tokenizeCreditCard: ({ input }: Given) => ({
      ...{ clientMutationId: input.clientMutationId, paymentMethod: tokenize(world, input) },
    }),
    authorizeCreditCard: ({ input }: Given) => payAs(input, false),
    chargeCreditCard: ({ input }: Given) => payAs(input, true),
    captureTransaction: ({ input }: Given) => {
      const { transactionId, transaction } = input as PartInput;
      const found = find(transactionId);
      const minor = transaction?.amount == null ? null : readAmount(transaction.amount, found.currency);
      const part = { minor, orderId: transaction?.orderId ?? null };
      return shown(capture(world, found, part, byApi(input.clientMutationId)), input);
    },
    partialCaptureTransaction: ({ input }: Given) => {
      const { transactionId, transaction } = input as PartInput;
      const found = find(transactionId);
      const part = {
        minor: readAmount(transaction?.amount ?? '', found.currency),
        ...{ orderId: transaction?.orderId ?? null, isFinal: transaction?.finalCapture === true },
      };
      const child = captureChild(world, found, part, byApi(input.clientMutationId));
      return { clientMutationId: input.clientMutationId, capture: transactionView(world, child) };
    },
    refundTransaction: ({ input }: Given) => {
      const { transactionId, refund: asked } = input as PartInput;
      const found = find(transactionId);
      const minor = asked?.amount == null ? null : readAmount(asked.amount, found.currency);
      const part = { minor, orderId: asked?.orderId ?? null };
      const made = refund(world, found, part, byApi(input.clientMutationId));
      return { clientMutationId: input.clientMutationId, refund: refundView(world, made) };
    },
    reverseTransaction: ({ input }: Given) => {
      const { transactionId } = input as PartInput;
      const made = reverse(world, find(transactionId), byApi(input.clientMutationId));
      const reversal = 'of' in made ? refundView(world, made) : transactionView(world, made);
      return { clientMutationId: input.clientMutationId, reversal };
    },
    deletePaymentMethodFromVault: ({ input }: Given) => {
      const id = String(input['paymentMethodId']);
      if (world.methods.get(id)?.isMultiUse !== true) refuseMissing('PaymentMethod');
      world.methods.delete(id);
      return { clientMutationId: input.clientMutationId };
    },
  };
}

/** Reads a request for a payment. Refuses a payment method that the account does not have. */
function askedBy(world: World, { paymentMethodId, transaction }: PaymentInput, isSale: boolean): Asked {
  const method = world.methods.get(paymentMethodId);
  if (!method || (method.endsAt && method.endsAt <= world.now()))
    return refuseInvalid('91565', 'Unknown or expired single-use payment method.');
  const vaults = transaction.vaultPaymentMethodAfterTransacting != null;
  if (method.isMultiUse && (vaults || transaction.customerDetails != null))
    refuseInvalid('91516', 'Cannot provide details of a customer with a stored payment method.');
  const [first = ''] = Object.keys(world.settings.merchantAccounts);
  return {
    ...{ method, isSale, vaults, amount: transaction.amount, orderId: transaction.orderId ?? null },
    merchantAccountId: transaction.merchantAccountId ?? first,
  };
}

type CardInput = {
  readonly [Name in 'number' | 'expirationMonth' | 'expirationYear' | 'cvv']?: string | null;
};

/** Names a card for one payment. */
function tokenize(world: World, { creditCard }: Input): object {
  const { number, expirationMonth: month, expirationYear: year, cvv } = creditCard as CardInput;
  if (!/^\d{12,19}$/.test(number ?? '')) refuseInvalid('81716', 'Credit card number must be 12-19 digits.');
  if (!/^(0[1-9]|1[0-2])$/.test(month ?? '')) refuseInvalid('81712', 'Expiration month is invalid.');
  if (!/^20\d{2}$/.test(year ?? '')) refuseInvalid('81713', 'Expiration year is invalid.');
  if (cvv != null && !/^\d{3,4}$/.test(cvv)) refuseInvalid('81707', 'CVV must be 3 or 4 digits.');
  const id = `tokencc_bc_${world.newId()}`;
  const card = { number: number ?? '', month: month ?? '', year: year ?? '', hasCvv: cvv != null };
  const endsAt = new Date(world.now().getTime() + world.settings.nonceLivesMs);
  const method: Method = { id, card, isMultiUse: false, isUsed: false, endsAt };
  world.methods.set(id, method);
  return { __typename: 'PaymentMethod', id, legacyId: globalIdOf('method', id), usage: 'SINGLE_USE' };
}

function disputeChangesOf(world: World, file: string | null) {
  const openOf = (input: Input): Dispute => {
    const dispute = world.disputes.get(String(input['disputeId'])) ?? refuseMissing('Dispute');
    if (dispute.status !== 'OPEN') refuseInvalid('95701', 'Disputes can only be changed when they are open.');
    return dispute;
  };
  const shown = (dispute: Dispute, { clientMutationId }: Input) => ({
    ...{ clientMutationId, dispute: disputeView(world, dispute) },
  });
  return {
    acceptDispute: ({ input }: Given) => {
      const dispute = openOf(input);
      dispute.status = 'ACCEPTED';
      return shown(dispute, input);
    },
    createDisputeTextEvidence: ({ input }: Given) => {
      openOf(input).texts.push(String(input['content']));
      const evidence = { __typename: 'DisputeTextEvidence', id: world.newId(), legacyId: '1' };
      return { clientMutationId: input.clientMutationId, evidence };
    },
    createDisputeFileEvidence: ({ input }: Given) => {
      openOf(input).files.push(file ?? refuseInvalid('95705', 'The file is missing.'));
      const evidence = { __typename: 'DisputeFileEvidence', id: world.newId(), legacyId: '1' };
      return { clientMutationId: input.clientMutationId, evidence };
    },
    finalizeDispute: ({ input }: Given) => {
      const dispute = openOf(input);
      if (dispute.texts.length + dispute.files.length === 0)
        refuseInvalid('95726', 'Disputes need evidence.');
      dispute.status = 'DISPUTED';
      return shown(dispute, input);
    },
  };
}
