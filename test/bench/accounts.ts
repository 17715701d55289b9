import { mintFromFile, sandboxKeyFile, type TokenOptions } from '../../src/cli/run/token.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { ServerProcess } from '../support/process.ts';

/** A merchant account that takes cards by the built-in provider. */
export type PayingAccount = {
  readonly id: string;
  readonly token: string;
  /** The address of the payment service's webhooks. */
  readonly webhookUrl: string;
};

type Created = {
  readonly createPaymentService: { readonly paymentService: { readonly webhookUrl: string } };
};

/** Creates a merchant account with a payment service. */
export async function createPayingAccount(
  server: ServerProcess,
  id: string,
  given: Pick<TokenOptions, 'expires'> = {},
): Promise<PayingAccount> {
  await askAs(
    server,
    server.token,
    `mutation { createMerchantAccount(input: { id: "${id}", displayName: "${id}" }) { merchantAccount { id } } }`,
  );
  const token = await mintFromFile(
    sandboxKeyFile(server.dataFolder),
    { ...given, merchantAccount: id },
    systemClock,
  );
  const { createPaymentService } = await askAs<Created>(
    server,
    token,
    `mutation { createPaymentService(input: { displayName: "Card", paymentServiceDefinitionId: "mock-card",
      fields: [{ key: "merchant_id", value: "${id}" }], acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) {
      paymentService { webhookUrl } } }`,
  );
  return { id, token, webhookUrl: createPaymentService.paymentService.webhookUrl };
}

/** Runs an operation with a token. Throws its errors. */
export async function askAs<Data>(server: ServerProcess, token: string, document: string): Promise<Data> {
  const { body } = await server.graphql<Data>(document, {}, { token });
  if (!body.data) throw new Error(JSON.stringify(body.errors));
  return body.data;
}
