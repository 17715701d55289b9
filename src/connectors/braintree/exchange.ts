import type { z } from 'zod';
import {
  countDown,
  noAnswer,
  noReply,
  notSent,
  parseJson,
  REFUSED_BEFORE,
  type CallContext,
  type DeclineCode,
  type EvidenceFile,
  type HttpReply,
  type Multipart,
  type ProviderAnswer,
  type Unknown,
} from '../door.ts';
import { envelope, type BraintreeError } from './answers.ts';
import { CHANGES, READS } from './documents.ts';
import { formWith } from './file-form.ts';

/** The addresses of Braintree by environment, without a path. */
export type BraintreeHosts = Readonly<Record<CallContext['environment'], string>>;

export const BRAINTREE_HOSTS: BraintreeHosts = {
  production: 'https://payments.braintree-api.com',
  sandbox: 'https://payments.sandbox.braintree-api.com',
};

/** Braintree's answer. The body of a success is its data. */
export type Answer = ProviderAnswer<BraintreeError> & {
  /** The data beside the parts that the key may not read, for an unknown answer. Money never follows from such data. */
  readonly partial?: unknown;
};

export type Change = keyof typeof CHANGES;
export type Read = keyof typeof READS;

/** The calls of one operation. All calls share the time limit of the operation. */
export type Api = {
  /** Sends a document that changes something. Braintree only repeats `key`, and does the work again for a repeat. */
  change(name: Change, input: object, key: string, file?: EvidenceFile): Promise<Answer>;
  /** Sends a document whose repeat does no harm. */
  read(name: Read, variables: object): Promise<Answer>;
};

/** Opens the calls of one operation. */
export function openApi(context: CallContext, hosts: BraintreeHosts): Api {
  const leftMs = countDown(context.deadlineMs);
  const host = hosts[context.environment];
  const call = async (sent: Sent): Promise<Answer> => {
    const deadlineMs = leftMs();
    return deadlineMs < 1 ? notSent('timeout') : exchange({ ...context, deadlineMs }, host, sent);
  };
  return {
    change: (name, input, key, file) => {
      const document = { query: CHANGES[name], variables: { input: { ...input, clientMutationId: key } } };
      return call({ ...(file ? formWith(document, file, key) : jsonOf(document)), isRead: false });
    },
    read: (name, variables) => call({ ...jsonOf({ query: READS[name], variables }), isRead: true }),
  };
}

type Sent = Omit<Multipart, 'body'> & { readonly body: string | Buffer; readonly isRead: boolean };

const jsonOf = (document: object) => ({ contentType: 'application/json', body: JSON.stringify(document) });

/** The version of the API whose changes the connector knows. */
const VERSION = '2019-01-01';

/** A page of 50 transactions is the largest answer. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;

/** Payments come in bursts, and a new connection costs more time than many calls. */
const IDLE_CONNECTIONS = 64;

async function exchange(
  { http, credentials, deadlineMs }: Pick<CallContext, 'http' | 'credentials' | 'deadlineMs'>,
  host: string,
  { contentType, body, isRead }: Sent,
): Promise<Answer> {
  const { public_key: publicKey = '', private_key: privateKey = '' } = credentials;
  const answer = await http.send({
    ...{ method: 'POST', url: `${host}/graphql`, deadlineMs, replyBytesMax: REPLY_BYTES_MAX },
    headers: {
      authorization: `Basic ${Buffer.from(`${publicKey}:${privateKey}`).toString('base64')}`,
      'braintree-version': VERSION,
      'content-type': contentType,
    },
    body,
    pool: `braintree:${URL.parse(host)?.host ?? ''}`,
    idleConnections: IDLE_CONNECTIONS,
    // Braintree does the work of a repeated change again.
    repeatable: isRead,
  });
  return 'failure' in answer ? noReply(answer.failure) : answerOf(answer.reply);
}

/**
 * Sorts an answer by its status, and then by the class of its errors.
 *
 * An error of a part stands beside the data, and the part is null. Nobody may take the part for empty, so such an answer says nothing
 * certain. A change may have been done.
 */
export function answerOf({ status, body }: Pick<HttpReply, 'status' | 'body'>): Answer {
  const refusedBefore = REFUSED_BEFORE[status];
  if (refusedBefore) return notSent('server_error', refusedBefore);
  if (status !== 200) return UNCERTAIN;
  const read = envelope.safeParse(parseJson(body)).data;
  if (!read) return noAnswer(UNREADABLE);
  const { data, errors } = read;
  const [error] = errors;
  if (!error) return data ? { kind: 'answered', body: data } : noAnswer(UNREADABLE);
  const classes = errors.map((each) => each.extensions?.errorClass ?? '');
  const hasData = Object.values(data ?? {}).some((field) => field !== null);
  if (hasData && classes.every((each) => each === 'AUTHORIZATION')) return { ...UNCERTAIN, partial: data };
  if (hasData || errors.some(isOfPart)) return UNCERTAIN;
  const [before] = classes.map((each) => CLASSES[each]);
  if (before && classes.every((each) => CLASSES[each])) return notSent('server_error', before);
  return classes.every((each) => REFUSALS.has(each)) ? { kind: 'refused', status, error } : UNCERTAIN;
}

/** True for an error below the root field. Braintree had done the work when a part of the answer failed. */
const isOfPart = ({ path }: BraintreeError): boolean => (path?.length ?? 0) > 1;

/** The classes of errors before the work, by their meaning. */
const CLASSES: Readonly<Record<string, DeclineCode | undefined>> = {
  AUTHENTICATION: 'invalid_service_credentials',
  AUTHORIZATION: 'insufficient_service_permissions',
  RESOURCE_LIMIT: 'service_rate_limit',
};

/** The classes of errors about the request itself. Any other class says nothing certain. */
const REFUSALS: ReadonlySet<string> = new Set(['VALIDATION', 'NOT_FOUND', 'NOT_IMPLEMENTED']);

const UNCERTAIN = noAnswer({ cause: 'server_error' });

export const UNREADABLE: Unknown = { kind: 'unknown', cause: 'unreadable' };

/** The search is late, or Braintree has not decided. A later look says more. */
export const UNDECIDED: Unknown = { kind: 'unknown', cause: 'server_error' };

/** An earlier request of the same key may have done the work. A look-up tells. */
export const ARRIVED: Unknown = { kind: 'unknown', cause: 'server_error', arrived: true };

/** Reads the data of an answer. Null for another form. */
export const parse = <Shape>(schema: z.ZodType<Shape>, data: unknown): Shape | null =>
  schema.safeParse(data).data ?? null;
