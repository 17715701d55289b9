import type { TestServer } from '../support/server.ts';

export type WebhookService = { readonly id: string; readonly webhookUrl: string };

/** Creates a payment service of the sandbox, with a webhook secret or without. */
export async function createTestServerService(
  server: TestServer,
  secret: string | null,
  token?: string,
): Promise<WebhookService> {
  const { body } = await server.graphql<{ made: { paymentService: WebhookService | null } }>(
    `mutation ($fields: [FieldInput!]!) { made: createPaymentService(input: { displayName: "Webhooks",
      paymentServiceDefinitionId: "mock-acquirer", fields: $fields, acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) {
      paymentService { id webhookUrl } userErrors { message } } }`,
    {
      fields: [
        { key: 'merchant_id', value: 'test' },
        ...(secret === null ? [] : [{ key: 'webhook_secret', value: secret }]),
      ],
    },
    token === undefined ? {} : { token },
  );
  const service = body.data?.made.paymentService;
  if (!service) throw new Error(JSON.stringify(body));
  return service;
}
