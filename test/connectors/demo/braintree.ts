import { braintree, createBraintree } from '../../../src/connectors/braintree/index.ts';
import type { CallContext } from '../../../src/connectors/interface/call-context.ts';
import { createBraintreeDouble } from '../braintree/double.ts';
import { fieldsOf } from '../braintree/start.ts';
import type { DemoProvider } from './demo-provider.ts';

/** Braintree with its names of test cards, which need no permission for card numbers. */
export const braintreeDemo: DemoProvider = {
  name: 'Braintree',
  definitionId: 'braintree-card',
  currency: 'USD',
  variables: {
    public_key: 'BRAINTREE_PUBLIC_KEY',
    private_key: 'BRAINTREE_PRIVATE_KEY',
    merchant_accounts: 'BRAINTREE_MERCHANT_ACCOUNTS',
  },
  // The keys do not tell whose they are. The demo calls the sandbox alone, which refuses the keys of production.
  refuse: () => null,
  connector: braintree,
  paying: { token: 'fake-valid-nonce' },
  declined: { token: 'fake-processor-declined-visa-nonce' },
  settle,
  openDouble: async () => {
    const double = createBraintreeDouble();
    const { url, close } = await double.listen();
    return {
      connector: createBraintree({ production: url, sandbox: url }),
      credentials: fieldsOf(double),
      webhooks: () => double.webhooks(),
      approve: () => ({}),
      settle: (reference) => double.hands.settle(reference),
      close,
    };
  },
};

const SETTLE = `mutation Settle($input: SandboxSettleTransactionInput!) {
  sandboxSettleTransaction(input: $input) { transaction { status } }
}`;

/** Settles a capture in the sandbox, so that a part can be refunded. */
async function settle({ http, credentials }: CallContext, reference: string): Promise<void> {
  const { public_key: publicKey = '', private_key: privateKey = '' } = credentials;
  const answer = await http.send({
    ...{ method: 'POST', url: 'https://payments.sandbox.braintree-api.com/graphql', pool: 'demo' },
    headers: {
      authorization: `Basic ${Buffer.from(`${publicKey}:${privateKey}`).toString('base64')}`,
      ...{ 'braintree-version': '2019-01-01', 'content-type': 'application/json' },
    },
    body: JSON.stringify({ query: SETTLE, variables: { input: { transactionId: reference } } }),
    ...{ deadlineMs: 30_000, replyBytesMax: 100_000 },
  });
  const body = 'reply' in answer ? answer.reply.body : '';
  if (!body.includes('"SETTLED"')) throw new Error(`The sandbox did not settle the capture: ${body}`);
}
