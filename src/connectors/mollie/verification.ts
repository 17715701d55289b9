import { verificationOf, type CallContext, type Verification } from '../door.ts';
import { isOfEnvironment, type Api } from './exchange.ts';

/** Asks Mollie for the methods of the account, which needs a valid key. Moves no money. */
export async function verifyMollie(api: Api, context: CallContext): Promise<Verification> {
  if (!/^(test|live)_/.test(context.credentials['api_key'] ?? '')) return refused(NO_KEY);
  if (!isOfEnvironment(context)) return refused(OTHER_MODE[context.environment]);
  const reasons = { invalid_service_credentials: REFUSED, insufficient_service_permissions: REFUSED };
  return verificationOf(await api.get('/v2/methods'), reasons);
}

const refused = (reason: string): Verification => ({ kind: 'refused', reason });

const NO_KEY = 'api_key is no API key of Mollie. Give a key that begins with test_ or live_.';

const OTHER_MODE = {
  production: 'api_key is a test key. Production needs a live key.',
  sandbox: 'api_key is a live key. The sandbox needs a test key.',
} as const;

const REFUSED = 'Mollie refuses api_key. The dashboard of Mollie shows the keys under Developers.';
