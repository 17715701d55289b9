import { createHmac } from 'node:crypto';
import type { FeedEvent } from '../../client/index.ts';
import { secretText } from '../../modules/events/index.ts';
import { readApiKeyFile } from '../../platform/process/api-key-file.ts';
import { forErrors, forOutput } from '../colours.ts';
import { readConfig } from '../environment.ts';
import { UsageError } from '../exit-code.ts';
import { forward, type Forwarded } from '../listen/forward.ts';
import { eventLine } from '../service/event-line.ts';
import { followFeed, type FollowOptions } from '../service/follow.ts';
import { keyFileOf } from './token.ts';

export type ListenOptions = FollowOptions & {
  readonly forwardTo: string;
  /** The secret that signs. The default belongs to the key of this installation. */
  readonly secret?: string | undefined;
};

/**
 * Posts each live event to an address of this machine, signed as a webhook, and prints the answer. An event without an
 * answer is not sent again.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const url = URL.parse(options.forwardTo);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError('--forward-to: must be an address such as http://localhost:3000/hooks.');
  const secret = options.secret ?? (await ownSecret(options));
  if (!/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))
    throw new UsageError('--secret: must begin with whsec_, followed by base64.');
  process.stderr.write(`The secret of these webhooks is ${forErrors.bold(secret)}\n`);
  process.stderr.write(forErrors.dim(`Events go to ${url.href}\n`));
  await followFeed('listen', options, async (event) => {
    const forwarded = await forward(event, { url: url.href, secret });
    process.stdout.write(`${options.json ? asJson(event, forwarded) : asText(event, forwarded)}\n`);
  });
}

/** Derives a secret from the key of the installation. So the secret is the same at each start, and no file holds it. */
async function ownSecret({ key }: ListenOptions): Promise<string> {
  const file = await readApiKeyFile(keyFileOf(readConfig(), { key }).path);
  if (!file) throw new UsageError('Without a key of this installation, give a secret with --secret.');
  return secretText(createHmac('sha256', file.privateKeyPem).update('paygraph listen').digest());
}

const asJson = ({ id, name, sequence }: FeedEvent, forwarded: Forwarded): string =>
  JSON.stringify({ id, name, sequence, ...forwarded });

function asText(event: FeedEvent, { status, error, durationMs, reply }: Forwarded): string {
  const isAccepted = status !== null && status >= 200 && status < 300;
  const answer = status === null ? `no answer: ${error ?? ''}` : `${status} in ${durationMs} ms`;
  const body = isAccepted || !reply ? '' : `\n      ${forOutput.dim(reply.split('\n')[0] ?? '')}`;
  return `${eventLine(event)}\n      → ${(isAccepted ? forOutput.green : forOutput.red)(answer)}${body}`;
}
