import { performance } from 'node:perf_hooks';
import type { HttpAnswer, HttpSender } from '../../platform/http/reply.ts';
import type { HttpRequest } from '../../platform/http/request.ts';
import { NO_TIMING } from '../../platform/http/timing.ts';
import type { Log } from '../../platform/log.ts';
import { withinHosts, type Reach } from './declared-hosts.ts';

/** The most bytes of a reply. The longest replies are the reports of settlements. */
const REPLY_BYTES_MAX = 64 * 1024 * 1024;

/** The HTTP client of one call. */
export type CallClient = {
  readonly http: HttpSender;
  /** Ends the client. It sends nothing any more. */
  end(): void;
  /** True if the provider may have worked for this call: nobody may then say that no request left. */
  mayHaveWorked(): boolean;
};

/**
 * Returns a client that ends with its call, so that a late request moves no money. Recovery counts on the end: it sends the
 * operation again, or takes the operation for one that never arrived.
 */
export function clientOfCall(http: HttpSender, deadlineMs: number, reach: Reach, log: Log): CallClient {
  const endsAtMs = performance.now() + deadlineMs;
  const declared = withinHosts(http, reach, log);
  let hasEnded = false;
  let hasWorked = false;
  let underWay = 0;
  const send = async (given: HttpRequest): Promise<HttpAnswer> => {
    const restMs = Math.floor(endsAtMs - performance.now());
    if (hasEnded || restMs < 1) {
      log.error({ connector: reach.id }, 'The connector asked for a request after the end of its call.');
      return { failure: { kind: 'timeout', sent: false, durationMs: 0, timing: NO_TIMING } };
    }
    const request = {
      ...given,
      deadlineMs: Math.min(given.deadlineMs, restMs),
      replyBytesMax: Math.min(given.replyBytesMax, REPLY_BYTES_MAX),
    };
    underWay += 1;
    const answer = await declared.send(request).finally(() => (underWay -= 1));
    hasWorked ||= isWork(request, answer);
    return answer;
  };
  return {
    http: Object.freeze({ send }),
    end: () => void (hasEnded = true),
    mayHaveWorked: () => hasWorked || underWay > 0,
  };
}

/** True unless the request cannot have led to any work. A reply of 4xx is the provider's explicit refusal. */
const isWork = ({ method }: HttpRequest, answer: HttpAnswer): boolean =>
  'failure' in answer
    ? answer.failure.sent
    : method !== 'GET' && (answer.reply.status < 400 || answer.reply.status >= 500);
