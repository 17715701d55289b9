import type { App } from '../../app.ts';
import type { HttpFailure, HttpReply } from '../../platform/http-client.ts';
import { withSequence } from './envelope.ts';
import { nextAttemptAt, parseRetryAfter } from './schedule.ts';
import { secretContext } from './secrets.ts';
import { signatureHeader } from './sign.ts';
import type { ClaimedDelivery } from './store/claim.ts';
import type { SettledAttempt, Verdict } from './store/settle.ts';

/** One deadline over the whole exchange: receivers are told to answer first and work later. */
const DEADLINE_MS = 5_000;

/** Pause after a 429 that names none; 429 uses no attempt up, so that the pauses do not grow by themselves. */
const THROTTLED_MS = 60_000;

const REPLY_BYTES_MAX = 64 * 1024;
const REPLY_BYTES_KEPT = 4 * 1024;

/** Posts a delivery once, signed afresh, and decides what follows. Stores nothing; never rejects. */
export async function attemptDelivery(app: App, delivery: ClaimedDelivery): Promise<SettledAttempt> {
  const startedAt = app.clock.now();
  const outcome = await post(app, delivery, startedAt).catch((error: unknown): Outcome => {
    const name = error instanceof Error ? error.name : typeof error;
    app.log.error({ endpoint: delivery.endpointId, error: name }, 'A webhook could not be signed.');
    return { failure: { kind: 'not_signed', durationMs: 0 } };
  });
  const { merchantAccountId, endpointId, position, lease } = delivery;
  return {
    id: app.ids.uuid(),
    ...{ merchantAccountId, endpointId, position, lease, startedAt },
    ...shownOf(outcome),
    ...decide(app, delivery, outcome),
  };
}

type Outcome =
  | { readonly reply: HttpReply }
  | {
      readonly failure: Omit<HttpFailure, 'kind' | 'sent'> & {
        readonly kind: HttpFailure['kind'] | 'not_signed';
      };
    };

async function post(app: App, delivery: ClaimedDelivery, startedAt: Date): Promise<Outcome> {
  const { merchantAccountId, endpointId, eventId: id, sequence, payload, url } = delivery;
  const secrets = await Promise.all(
    delivery.secrets.map((secret) =>
      app.vault.open(secretContext(merchantAccountId, secret.id), secret.sealed),
    ),
  );
  // An endpoint without a secret was deleted meanwhile; nothing unsigned leaves the house.
  if (secrets.length === 0) throw new Error('There is no live secret.');
  const body = withSequence(payload, sequence);
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  return await app.http.send({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Paygraph',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader({ id, timestamp, body }, secrets),
    },
    body,
    deadlineMs: DEADLINE_MS,
    replyBytesMax: REPLY_BYTES_MAX,
    pool: `webhook:${endpointId}`,
    repeatable: true,
  });
}

type Shown = Pick<SettledAttempt, 'durationMs' | 'statusCode' | 'error' | 'replyStart'>;

const shownOf = (outcome: Outcome): Shown =>
  'failure' in outcome
    ? {
        durationMs: outcome.failure.durationMs,
        statusCode: null,
        error: outcome.failure.kind,
        replyStart: null,
      }
    : {
        durationMs: outcome.reply.durationMs,
        statusCode: outcome.reply.status,
        error: null,
        replyStart: startOf(outcome.reply.body),
      };

/** The start of a reply, cut between characters and without what Postgres cannot store. */
function startOf(body: string): string {
  const bytes = Buffer.from(body.slice(0, REPLY_BYTES_KEPT).replaceAll('\u0000', ' '));
  return new TextDecoder().decode(bytes.subarray(0, REPLY_BYTES_KEPT), { stream: true });
}

type Decision = Pick<SettledAttempt, 'state' | 'nextAt' | 'verdict'>;

function decide({ clock, ids }: App, { createdAt, attempt }: ClaimedDelivery, outcome: Outcome): Decision {
  const verdict = verdictOf(outcome);
  if (verdict === 'success') return { state: 'done', nextAt: null, verdict };
  const failedAt = clock.now();
  const asked = 'reply' in outcome ? parseRetryAfter(outcome.reply.headers['retry-after'], failedAt) : null;
  const retryAfterMs = asked ?? (verdict === 'throttled' ? THROTTLED_MS : null);
  const chance = ids.random(4).readUInt32BE() / 0xffff_ffff;
  const nextAt = nextAttemptAt({ createdAt, failedAt, retry: attempt + 1, retryAfterMs, chance });
  return { state: nextAt ? 'pending' : 'expired', nextAt, verdict };
}

/** Redirects are failures: following them would let a receiver choose any address. */
function verdictOf(outcome: Outcome): Verdict {
  if ('failure' in outcome) return 'failure';
  const { status } = outcome.reply;
  if (status >= 200 && status < 300) return 'success';
  if (status === 429) return 'throttled';
  return status === 410 ? 'gone' : 'failure';
}
