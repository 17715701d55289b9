import type { Harness } from '../../transactions/harness.ts';

/** A payment service at a double, with the address of its webhooks. */
export type Service = { readonly id: string; readonly webhookUrl: string };

/** Creates a payment service at a double. `input` changes the currencies, the countries and the flags of the service. */
export async function connect(
  { ask }: Pick<Harness, 'ask'>,
  definition: string,
  fields: Readonly<Record<string, string>>,
  input: object = {},
): Promise<Service> {
  const { payload } = await ask<{ payload: { service: Service | null; userErrors: unknown } }>(
    `mutation ($input: CreatePaymentServiceInput!) { payload: createPaymentService(input: $input) {
      service: paymentService { id webhookUrl } userErrors { message path } } }`,
    {
      input: {
        ...{ displayName: definition, paymentServiceDefinitionId: definition, acceptedCurrencies: ['EUR'] },
        fields: Object.entries(fields).map(([key, value]) => ({ key, value })),
        ...{ acceptedCountries: ['US', 'DE'], ...input },
      },
    },
  );
  if (!payload.service) throw new Error(JSON.stringify(payload.userErrors));
  return payload.service;
}
