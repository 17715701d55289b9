import { setTimeout as delay } from 'node:timers/promises';
import type { CallContext, Credentials, Outcome } from '../door.ts';
import { simulate, type SimulatorReply, type SimulatorRequest } from './simulator/simulator.ts';
import { outcomeFromWire } from './wire/wire.ts';

/** The faults of a provider that a key plays, each by the begin of the key. */
export const FAULTS = ['silent', 'slow', 'failing', 'declining'] as const;

export type Fault = (typeof FAULTS)[number];

/** Returns the fault that an API key or a client secret plays. Null for any other key. */
export const faultOfKey = (key: string): Fault | null =>
  FAULTS.find((fault) => key.startsWith(fault)) ?? null;

const faultOf = ({ api_key: key, client_secret: secret }: Credentials): Fault | null =>
  faultOfKey(key || (secret ?? ''));

/** The answer of an outage. No time passes, so that a rehearsal is quick. */
const NO_ANSWER: Outcome = { kind: 'unknown', cause: 'timeout' };

/** The part of the time limit that a slow provider takes. */
export const SLOW_PART = 1 / 4;

/** Answers as the built-in provider, with the fault that the credentials play. Another key ends the fault. */
export async function answerBuiltIn(
  { credentials, deadlineMs }: Pick<CallContext, 'credentials' | 'deadlineMs'>,
  request: SimulatorRequest,
): Promise<Outcome | null> {
  const fault = faultOf(credentials);
  if (fault === 'silent') return NO_ANSWER;
  if (fault === 'slow') await delay(deadlineMs * SLOW_PART);
  const reply = simulate(request);
  const refusal = fault === 'failing' || fault === 'declining' ? REFUSALS[fault] : null;
  return outcomeFromWire(refusal && isAuthorization(request) ? { ...echoOf(reply), ...refusal } : reply);
}

/** The answers to each authorisation, and to a look-up of one. Both let routing ask the next service. */
const REFUSALS = {
  failing: { result: 'error', code: 'service_error', message: 'Simulated service_error' },
  declining: {
    ...{ result: 'declined', code: 'issuer_decline', message: 'Simulated issuer_decline' },
    network_response_code: '05',
  },
} as const satisfies Partial<Record<Fault, Partial<SimulatorReply>>>;

const isAuthorization = ({ operation, of = 'authorize' }: SimulatorRequest): boolean =>
  operation === 'authorize' || operation === 'resume' || (operation === 'status' && of === 'authorize');

const echoOf = ({ id, amount, currency }: SimulatorReply) => ({ id, amount, currency });
