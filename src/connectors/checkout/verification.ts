import { secretsIn, verificationOf, type CallContext, type Verification } from '../door.ts';
import { isOfEnvironment, type Api } from './exchange.ts';
import { PAYMENTS } from './payments/read-payment.ts';

/** Asks Checkout.com for payments with a name that no payment has, which needs a valid key for payments. Moves no money. */
export async function verify(
  api: Api,
  { credentials, environment }: Pick<CallContext, 'credentials' | 'environment'>,
): Promise<Verification> {
  const { secret_key: key = '', processing_channel_id: channel = '' } = credentials;
  if (key.startsWith('pk_')) return refused(PUBLIC_KEY);
  if (!isOfEnvironment({ credentials, environment })) return refused(OTHER_KEY[environment]);
  if (!/^pc_\w+$/.test(channel)) return refused(CHANNEL);
  if (secretsIn(credentials['signature_key']).length === 0) return refused(SIGNATURE_KEY);
  return verificationOf(await api.get(`${PAYMENTS}?reference=paygraph-verification&limit=1`), REASONS);
}

const refused = (reason: string): Verification => ({ kind: 'refused', reason });

const PUBLIC_KEY = 'The secret key is a public key. Give a key that begins with sk_.';

const OTHER_KEY = {
  production: 'The secret key is a key of the sandbox. Production needs a live key.',
  sandbox: 'The secret key is no key of the sandbox. Give a key that begins with sk_sbox_.',
} as const;

const CHANNEL = 'processing_channel_id must be the ID of a processing channel, which begins with pc_.';

const SIGNATURE_KEY = 'Give signature_key, the signature key of the webhook in the workflow.';

/** The reasons of an explicit refusal. */
const REASONS = {
  invalid_service_credentials: 'Checkout.com refuses the secret key.',
  insufficient_service_permissions: 'The secret key has no permission to read payments.',
  invalid_service_configuration: 'api_prefix must be the first characters of the client ID, in lower case.',
} as const;
