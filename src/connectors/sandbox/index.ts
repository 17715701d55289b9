import { googlePayReceiver, type Connector, type CallContext, type Outcome } from '../door.ts';
import { sandboxDisputes } from './dispute-responses.ts';
import { sandboxDefinitions } from './definitions.ts';
import { exchange } from './exchange.ts';
import { answerBuiltIn } from './faults.ts';
import { sandboxMaterial } from './key-signature.ts';
import { sandboxGiftCards } from './gift-cards.ts';
import { sandboxLaterReports } from './later-reports.ts';
import { revokeSandboxMandate } from './mandates.ts';
import { readSandboxBooks } from './read-books.ts';
import { openSandboxSession } from './sessions.ts';
import { sandboxSettlements } from './settlements.ts';
import type { SimulatorRequest } from './simulator/simulator.ts';
import { sandboxWebhooks } from './webhook.ts';
import { verifySandbox } from './verification.ts';
import {
  authorizationToWire,
  cancelToWire,
  captureToWire,
  followUpToWire,
  increaseToWire,
  outcomeFromWire,
  refundToWire,
  resumeToWire,
  statusToWire,
} from './wire/wire.ts';

/** The sandbox provider: built in, or the merchant's own simulator at `api_url`. */
export const sandbox: Connector = {
  id: 'sandbox',
  definitions: sandboxDefinitions,
  recovery: { kind: 'keys', windowMs: 24 * 3_600_000 },
  namesCaptures: true,
  webhooks: { ...sandboxWebhooks, material: sandboxMaterial, later: sandboxLaterReports },
  giftCards: sandboxGiftCards,
  disputes: sandboxDisputes,
  settlements: sandboxSettlements,
  sessions: { open: openSandboxSession },
  // Google makes test tokens for the gateway `example`.
  googlePay: (fields) =>
    googlePayReceiver(fields, { gateway: 'example', gatewayMerchantId: fields['merchant_id'] }),
  authorize: (context, request) => outcomeOf(context, authorizationToWire(request, context.definition)),
  increase: (context, request) => outcomeOf(context, increaseToWire(request)),
  reauthorize: (context, request) => outcomeOf(context, followUpToWire('reauthorize', request)),
  capture: (context, request) => outcomeOf(context, captureToWire(request)),
  refund: (context, request) => outcomeOf(context, refundToWire(request)),
  void: (context, request) => outcomeOf(context, followUpToWire('void', request)),
  cancel: (context, request) => outcomeOf(context, cancelToWire(request)),
  resume: (context, request) => outcomeOf(context, resumeToWire(request, context.definition)),
  lookup: (context, request) => ask(context, statusToWire(request)),
  readBooks: readSandboxBooks,
  revokeMandate: revokeSandboxMandate,
  verify: verifySandbox,
};

/**
 * Calls the provider for an outcome. "Not found" is a valid answer only to a look-up, so other verbs get
 * `unknown`.
 */
const outcomeOf = async (context: CallContext, request: SimulatorRequest): Promise<Outcome> =>
  (await ask(context, request)) ?? { kind: 'unknown', cause: 'unreadable' };

async function ask(context: CallContext, requested: SimulatorRequest): Promise<Outcome | null> {
  const { definition, credentials } = context;
  const request = definition.supportedFeatures.sync ? { ...requested, may_decide_later: true } : requested;
  const { api_url: url } = credentials;
  if (!url) return await answerBuiltIn(context, request);
  const exchanged = await exchange(context, url, request);
  return 'unknown' in exchanged ? exchanged.unknown : outcomeFromWire(exchanged.answer);
}
