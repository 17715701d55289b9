import type { DoubleRequest, DoubleResponse } from '../double-server.ts';
import { isDescribed, requestFaults, responseFaults, type DescribedCall } from './description.ts';
import { DISPUTE_SERVICE, respond, type DisputeBody } from './dispute-service.ts';
import { textOf } from './fault-words.ts';
import { cancelByReference, KINDS, modify, type ModificationBody } from './modifications.ts';
import { completePayment, type DetailsBody } from './details.ts';
import { pay, type PaymentBody } from './payments.ts';
import {
  KEY_TOO_LONG,
  NOT_FOUND,
  OTHER_ACCOUNT,
  refusalOf,
  invalid,
  STILL_RUNNING,
  UNAUTHORIZED,
  UNREADABLE,
  type Answer,
} from './refusals.ts';
import type { State } from './state.ts';
import { deleteStored, listMethods, listStored, storeMethod, type StoreBody } from './stored-methods.ts';

/** The answers under idempotency keys, which count for the whole company account. */
export type Keys = {
  readonly answers: Map<
    string,
    { readonly at: Date; readonly sent: string; readonly response: DoubleResponse }
  >;
  readonly running: Set<string>;
  hold(request: DoubleRequest): () => void;
};

export function createKeys(): Keys {
  const running = new Set<string>();
  return {
    answers: new Map(),
    running,
    hold: ({ headers }) => {
      const key = headers['idempotency-key'] ?? '';
      running.add(key);
      return () => void running.delete(key);
    },
  };
}

/** Adyen keeps answers for at least 31 days. The double keeps none longer. */
const KEY_LIFE_MS = 31 * 86_400_000;

/** The version of Checkout in a path. Live paths have one more folder. */
const VERSION = /^(\/checkout)?\/v71(?=\/)/;

/** Answers a request: who asks, then the key, then the work. */
export function answerRequest(state: State, keys: Keys, request: DoubleRequest): DoubleResponse {
  const { headers, method, path } = request;
  const url = new URL(path, 'https://adyen.invalid');
  const csv = state.reports.get(url.pathname);
  if (!isKnown(state, headers)) return textOf(UNAUTHORIZED);
  if (csv !== undefined) return { status: 200, headers: { 'content-type': 'text/csv' }, body: csv };
  const isDispute = url.pathname.startsWith(`${DISPUTE_SERVICE}/`);
  const call = { method, path: isDispute ? url.pathname : url.pathname.replace(VERSION, '') };
  if (call.path === url.pathname && !isDispute) return textOf(NOT_FOUND);
  const key = method === 'POST' ? headers['idempotency-key'] : undefined;
  if (key === undefined) return work(state, call, url.searchParams, request.body);
  if (key.length > 64) return textOf(KEY_TOO_LONG);
  if (keys.running.has(key)) return textOf(STILL_RUNNING);
  const earlier = keys.answers.get(key);
  const now = state.settings.now();
  const sent = `${path} ${request.body}`;
  if (earlier && now.getTime() - earlier.at.getTime() < KEY_LIFE_MS) {
    if (earlier.sent !== sent && state.settings.otherBody !== 'first_answer')
      return textOf(state.settings.otherBody === 'refused' ? OTHER_BODY : OTHERWISE);
    return { ...earlier.response, headers: { ...earlier.response.headers, 'idempotency-key': key } };
  }
  const response = work(state, call, url.searchParams, request.body);
  keys.answers.set(key, { at: now, sent, response });
  return response;
}

const OTHER_BODY = invalid('704', 'The request differs from the first one under this key');
const OTHERWISE = invalid('702', 'The request is not valid');

/** Knows the API key, or the user of reports, whose password is the API key. */
function isKnown({ settings }: State, headers: DoubleRequest['headers']): boolean {
  const [scheme, encoded = ''] = (headers['authorization'] ?? '').split(' ');
  const password = scheme === 'Basic' ? Buffer.from(encoded, 'base64').toString().split(':')[1] : undefined;
  return (headers['x-api-key'] ?? password) === settings.apiKey;
}

/** Does the work of a call, after the checks of Adyen's description. */
function work(state: State, call: DescribedCall, query: URLSearchParams, text: string): DoubleResponse {
  if (call.method !== 'POST') return textOf(withoutBody(state, call, query));
  if (!isDescribed(call)) return textOf(NOT_FOUND);
  const body = parse(text);
  if (typeof body !== 'object' || body === null) return textOf(UNREADABLE);
  const [fault] = requestFaults(call, body).toSorted((a, b) => rankOf(a.rule) - rankOf(b.rule));
  if (fault) return textOf(refusalOf(fault));
  const given = body as { readonly merchantAccount?: string; readonly merchantAccountCode?: string };
  const account = given.merchantAccount ?? given.merchantAccountCode ?? state.settings.merchantAccount;
  if (account !== state.settings.merchantAccount) return textOf(OTHER_ACCOUNT);
  return textOf(described(call, post(state, call.path, body)));
}

/** Names an unknown field before anything else, because Adyen reads the structure first. */
const rankOf = (rule: string): number => (RANKS.includes(rule) ? RANKS.indexOf(rule) : RANKS.length);

const RANKS = ['additionalProperties', 'type', 'required'];

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Answers a checked request. The description gives the body its type. */
function post(state: State, path: string, body: object): Answer {
  if (path.startsWith(DISPUTE_SERVICE)) return respond(state, path, body as DisputeBody);
  const [, psp = '', verb = ''] = /^\/payments\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  const kind = KINDS[verb];
  if (kind) return modify(state, kind, psp, body as ModificationBody);
  switch (path) {
    case '/payments':
      return pay(state, body as PaymentBody);
    case '/payments/details':
      return completePayment(state, body as DetailsBody);
    case '/cancels':
      return cancelByReference(state, body as ModificationBody);
    case '/paymentMethods':
      return listMethods();
    case '/storedPaymentMethods':
      return storeMethod(state, body as StoreBody);
    default:
      return NOT_FOUND;
  }
}

function withoutBody(state: State, { method, path }: DescribedCall, query: URLSearchParams): Answer {
  const id = /^\/storedPaymentMethods\/([^/]+)$/.exec(path)?.[1];
  if (query.get('merchantAccount') !== state.settings.merchantAccount) return OTHER_ACCOUNT;
  const shopperReference = query.get('shopperReference') ?? '';
  if (method === 'DELETE' && id !== undefined)
    return deleteStored(state, decodeURIComponent(id), shopperReference);
  return method === 'GET' && path === '/storedPaymentMethods'
    ? listStored(state, shopperReference)
    : NOT_FOUND;
}

/** Proves that an answer is one that Adyen could give. */
function described(call: DescribedCall, answer: Answer): Answer {
  const faults = responseFaults(call, answer.status, answer.body);
  if (faults.length > 0 && answer.status < 300)
    throw new Error(`The double gives an undescribed answer to ${call.path}: ${JSON.stringify(faults)}`);
  return answer;
}
