import { refusedBefore, type CallContext, type Outcome, type CaptureRequest } from '../../door.ts';
import { NOT_SENT, outcomeOf } from '../exchange.ts';
import type { AdyenHosts } from '../hosts.ts';
import { IMPOSSIBLE } from '../impossible.ts';
import { outcomeOfModification } from './answer.ts';
import { captureToWire, releaseToWire } from './wire.ts';

type Accepted = Extract<Outcome, { readonly kind: 'accepted' }>;

/**
 * Captures a part or all of an authorisation. With several captures, Adyen keeps the rest held after the last one. A cancel then
 * releases the rest, once Adyen has the capture.
 *
 * - A repeat sends both requests under their own keys again, and Adyen does each once.
 * - The release does not change the outcome of the capture. `unreleased` tells that the rest may still be held.
 */
export async function capture(
  hosts: AdyenHosts,
  context: CallContext,
  request: CaptureRequest,
): Promise<Outcome> {
  const { credentials } = context;
  const startedAt = performance.now();
  const merchantAccount = credentials['merchant_account'] ?? '';
  const hasSeveral = credentials['multiple_captures'] === 'true';
  if (!request.final && !hasSeveral) return refusedBefore(IMPOSSIBLE.several);
  const posted = captureToWire(request, { merchantAccount, definitionId: context.definition.id });
  if (!posted.ok) return refusedBefore(posted.refusals[0]);
  const addresses = hosts(context);
  if (!addresses) return NOT_SENT;
  const { path, body } = posted.value;
  const url = addresses.checkout + path;
  const outcome = await outcomeOf(context, { url, key: request.key, body }, (answer) =>
    outcomeOfModification(answer, request.money),
  );
  const leavesRest = request.final && hasSeveral && (request.rest ?? 0) > 0;
  if (!leavesRest || outcome.kind !== 'accepted') return outcome;
  const untilMs = startedAt + context.deadlineMs - MARGIN_MS;
  return released(context, addresses.checkout, { request, merchantAccount, outcome, untilMs });
}

/** The part of the time limit that is left for the way back of the answer. */
const MARGIN_MS = 500;

type Releasing = {
  readonly request: CaptureRequest;
  readonly merchantAccount: string;
  /** The outcome of the capture. */
  readonly outcome: Accepted;
  /** By the clock of `performance.now()`. */
  readonly untilMs: number;
};

/** Releases the rest, with a second try after a lost answer. */
async function released(
  context: CallContext,
  checkout: string,
  { request, merchantAccount, outcome, untilMs }: Releasing,
): Promise<Accepted> {
  const { path, body } = releaseToWire(request, merchantAccount);
  let why = 'timeout';
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const deadlineMs = Math.floor(untilMs - performance.now());
    if (deadlineMs < 1) break;
    const answer = await outcomeOf(
      { ...context, deadlineMs },
      { url: checkout + path, key: `${request.key}:release`, body },
      (given) => outcomeOfModification(given, request.money),
    );
    if (answer.kind === 'accepted') return outcome;
    why = answer.kind === 'unknown' ? (answer.refusedAs ?? answer.cause) : reasonOf(answer);
    if (answer.kind !== 'unknown') break;
  }
  return { ...outcome, unreleased: why };
}

const TRIES_MAX = 2;

const reasonOf = (answer: Exclude<Outcome, { readonly kind: 'unknown' }>): string =>
  'errorCode' in answer ? answer.errorCode : 'unreadable';
