import {
  ok,
  refuse,
  parseJson,
  type Result,
  type Credentials,
  type WebhookRefusal,
  type AntiFraudConnector,
  type CheckAnswer,
  type CheckContext,
  type CheckRequest,
  type ReviewNotice,
  type ReviewRequest,
} from '../../door.ts';
import { exchangeUnder } from '../exchange.ts';
import { isAuthentic } from '../webhook.ts';
import { mockAntiFraud } from './definition.ts';
import { simulate102, simulate21, type Simulated } from './simulator.ts';
import { fromWire102, reviewFromWire102, toWire102 } from './wire-10-2.ts';
import { fromWire21, reviewFromWire21, toWire21 } from './wire-2-1.ts';
import { reviewFromSimulator } from './wire-simulator.ts';

/**
 * The sandbox's third party, in both versions of its interface.
 *
 * Built in by default. With `api_url`, the service calls the merchant's own simulator at `/2.1/checks` and
 * `/10.2/checks` below that address.
 */
export const sandboxAntiFraud: AntiFraudConnector = {
  id: 'sandbox-anti-fraud',
  definitions: [mockAntiFraud],
  check: (context, request) => {
    const check = checkIn.get(context.interfaceVersion);
    if (!check) throw new Error(`The connector does not support version ${context.interfaceVersion}.`);
    return check(context, request);
  },
  readWebhook,
};

type Check = (context: CheckContext, request: CheckRequest) => Promise<CheckAnswer>;

/** One version of the interface. */
type Version<Requested extends object> = {
  readonly toWire: (credentials: Credentials, request: CheckRequest) => Requested;
  readonly fromWire: (given: unknown, key: string) => CheckAnswer;
  readonly simulate: (requested: Requested) => Simulated<unknown>;
};

const speak =
  <Requested extends object>({ toWire, fromWire, simulate }: Version<Requested>): Check =>
  async (context, request) => {
    const { credentials, interfaceVersion } = context;
    const requested = toWire(credentials, request);
    const { api_url: address } = credentials;
    if (!address) {
      const { status, body } = simulate(requested);
      return status === 200 ? fromWire(body, request.key) : { kind: 'unknown', cause: 'server_error' };
    }
    const url = `${address.replace(/\/+$/, '')}/${interfaceVersion}/checks`;
    const exchanged = await exchangeUnder(request.key, context, url, requested);
    return 'unknown' in exchanged ? exchanged.unknown : fromWire(exchanged.answer, request.key);
  };

const checkIn: ReadonlyMap<string, Check> = new Map([
  ['2.1', speak({ toWire: toWire21, fromWire: fromWire21, simulate: simulate21 })],
  ['10.2', speak({ toWire: toWire102, fromWire: fromWire102, simulate: simulate102 })],
]);

/** Reads a decision about a review. The signature is that of the sandbox's other webhooks. */
function readWebhook(request: ReviewRequest): Result<readonly ReviewNotice[], WebhookRefusal> {
  if (!isAuthentic(request)) return refuse('bad_signature');
  const body = parseJson(request.rawBody);
  if (body === null) return refuse('unreadable');
  const notice = reviewFromWire21(body) ?? reviewFromWire102(body) ?? reviewFromSimulator(body);
  return ok(notice ? [notice] : []);
}
