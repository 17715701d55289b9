import type { TestServer } from '../support/server.ts';

type Server = Pick<TestServer, 'graphql'>;

/** A payment to create. Its intent is CAPTURE unless it says otherwise. */
export type Order = {
  readonly amount: number;
  readonly currency?: string;
  readonly email?: string;
  readonly name?: string;
  readonly reference?: string;
  readonly number?: string;
  /** The network that the buyer of a co-badged card chose. */
  readonly network?: string;
  readonly authorizeOnly?: boolean;
  /** The stored buyer who pays. */
  readonly buyerId?: string;
  /** The only service to ask. */
  readonly paymentServiceId?: string;
  /** Further fields of the input, such as the cart. */
  readonly more?: object;
};

/** Creates a payment with a card of the sandbox. Returns its id. */
export async function createPayment(server: Server, order: Order): Promise<string> {
  const [firstName, lastName] = (order.name ?? 'Jane Doe').split(' ');
  const input = {
    amount: order.amount,
    currency: order.currency ?? 'EUR',
    country: 'DE',
    intent: order.authorizeOnly ? 'AUTHORIZE' : 'CAPTURE',
    externalIdentifier: order.reference ?? null,
    paymentServiceId: order.paymentServiceId ?? null,
    paymentMethod: {
      card: {
        ...{ number: order.number ?? VISA, expirationDate: '12/40', securityCode: '123' },
        ...(order.network !== undefined && { network: order.network }),
      },
    },
    ...(order.buyerId !== undefined && { buyerId: order.buyerId }),
    ...(order.email !== undefined && {
      buyer: { billingDetails: { firstName, lastName, emailAddress: order.email } },
    }),
    ...order.more,
  };
  type Data = { readonly createTransaction: { readonly transaction: { readonly id: string } | null } };
  const { body } = await server.graphql<Data>(
    `mutation ($input: CreateTransactionInput!) { createTransaction(input: $input) {
      transaction { id } userErrors { message path } } }`,
    { input },
  );
  const id = body.data?.createTransaction.transaction?.id;
  if (id === undefined) throw new Error(JSON.stringify(body));
  return id;
}

const VISA = '4111 1111 1111 1111';
const MASTERCARD = '5555 5555 5555 4444';
const AMEX = '3782 822463 10005';

/** The customers of a shop. */
const CUSTOMERS = [
  ['Ada Novak', 'ada.novak@example.com'],
  ['Liam Berg', 'liam@berg-studio.example'],
  ['Mina Okafor', 'mina.okafor@example.org'],
  ['Jonas Weber', 'j.weber@werkstatt.example'],
  ['Chloé Martin', 'chloe.martin@example.fr'],
  ['Noah Silva', 'noah.silva@example.com'],
  ['Yuki Tanaka', 'yuki@tanaka.example'],
] as const;

/** Amounts of a shop in minor units. Those of six digits are declines of the sandbox. */
const AMOUNTS = [5480, 12_900, 1999, 200_011, 7450, 23_500, 990, 200_005, 41_20, 18_250, 3300, 300_001];

/** Creates payments of many kinds, newest last. */
export async function seedPayments(server: Server, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const [name, email] = CUSTOMERS[index % CUSTOMERS.length] ?? CUSTOMERS[0];
    const id = await createPayment(server, {
      ...{
        name,
        email,
        amount: AMOUNTS[index % AMOUNTS.length] ?? 1000,
        reference: `order-${10_400 + index}`,
      },
      currency: index % 5 === 4 ? 'USD' : 'EUR',
      number: [VISA, MASTERCARD, AMEX][index % 3] ?? VISA,
      authorizeOnly: index % 6 === 1,
    });
    if (index % 11 === 2) await refund(server, id, index % 2 === 0 ? 500 : null);
  }
}

/** Refunds a part, or everything with null. */
export async function refund(server: Server, id: string, amount: number | null): Promise<void> {
  await server.graphql(
    `mutation ($id: ID!, $input: RefundInput!) { refundTransaction(id: $id, input: $input) { userErrors { message } } }`,
    { id, input: { amount, reason: 'Returned in the shop' } },
  );
}

/** Creates a webhook endpoint for the events of payments. Returns its id. */
export async function createEndpoint(server: Server, url: string): Promise<string> {
  type Data = { readonly createWebhookEndpoint: { readonly webhookEndpointId: string | null } };
  const { body } = await server.graphql<Data>(
    `mutation ($url: String!) { createWebhookEndpoint(input: { url: $url, eventNames: ["transaction.*", "refund.*"] }) {
      webhookEndpointId userErrors { message } } }`,
    { url },
  );
  const id = body.data?.createWebhookEndpoint.webhookEndpointId;
  if (id === undefined || id === null) throw new Error(JSON.stringify(body));
  return id;
}

/** Creates a payment link in euros. Returns its id. */
export async function createLink(server: Server, values: Readonly<Record<string, unknown>>): Promise<string> {
  type Data = { readonly createPaymentLink: { readonly paymentLinkId: string | null } };
  const { body } = await server.graphql<Data>(
    `mutation ($input: CreatePaymentLinkInput!) { createPaymentLink(input: $input) { paymentLinkId userErrors { message } } }`,
    { input: { currency: 'EUR', country: 'DE', intent: 'CAPTURE', ...values } },
  );
  const id = body.data?.createPaymentLink.paymentLinkId;
  if (id === undefined || id === null) throw new Error(JSON.stringify(body));
  return id;
}

/** Creates a buyer with a stored card. Returns the buyer's id. */
export async function createBuyer(server: Server, name: string, email: string): Promise<string> {
  type Data = { readonly createBuyer: { readonly buyerId: string | null } };
  const [firstName, lastName] = name.split(' ');
  const billingDetails = { firstName, lastName, emailAddress: email };
  const { body } = await server.graphql<Data>(
    `mutation ($input: CreateBuyerInput!) { createBuyer(input: $input) { buyerId userErrors { message } } }`,
    { input: { displayName: name, billingDetails } },
  );
  const id = body.data?.createBuyer.buyerId;
  if (id === undefined || id === null) throw new Error(JSON.stringify(body));
  const card = { number: VISA, expirationDate: '12/40' };
  await server.graphql(
    `mutation ($input: StorePaymentMethodInput!) { storePaymentMethod(input: $input) { userErrors { message } } }`,
    { input: { buyerId: id, instrument: { card } } },
  );
  return id;
}

/** Creates a payment service of the sandbox's cards. Its provider answers at an address. Returns its id. */
export async function createService(
  server: Server,
  { displayName, apiUrl }: { readonly displayName: string; readonly apiUrl: string },
): Promise<string> {
  type Data = { readonly createPaymentService: { readonly paymentServiceId: string | null } };
  const fields = [
    { key: 'merchant_id', value: 'shop' },
    { key: 'api_url', value: apiUrl },
  ];
  const { body } = await server.graphql<Data>(
    `mutation ($input: CreatePaymentServiceInput!) { createPaymentService(input: $input) {
      paymentServiceId userErrors { message path } } }`,
    {
      input: {
        ...{ displayName, fields, paymentServiceDefinitionId: 'mock-acquirer' },
        ...{ acceptedCurrencies: ['EUR'], acceptedCountries: ['DE'] },
      },
    },
  );
  const id = body.data?.createPaymentService.paymentServiceId;
  if (id === undefined || id === null) throw new Error(JSON.stringify(body));
  return id;
}
