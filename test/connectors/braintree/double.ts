import { readFileSync } from 'node:fs';
import { buildSchema, execute, parse, validate, GraphQLError, type ExecutionResult } from 'graphql';
import { randomUUID } from 'node:crypto';
import type { AccountFault, Faults } from '../double-faults.ts';
import { listenOn, type DoubleAnswer, type DoubleRequest, type DoubleResponse } from '../double-server.ts';
import { onItsWay, openAccount, refusedEarly, type Account } from '../kit/account.ts';
import { createHands } from './hands.ts';
import { errorOf } from './refusal.ts';
import { withoutParts } from './partial.ts';
import { resolversOf } from './resolvers.ts';
import { spoil } from './spoil.ts';
import { formOf, signed } from './webhooks.ts';
import {
  createWorld,
  DAY_MS,
  HOUR_MS,
  SECOND_MS,
  type Owed,
  type Settings,
  type Transaction,
  type World,
} from './world.ts';

export type BraintreeDoubleSettings = Partial<Settings> & {
  readonly now?: () => Date;
  /** Returns a new text for an id, such as a counter. */
  readonly newId?: () => string;
};

/**
 * A stateful double of Braintree's GraphQL API, written from the facts about it. Each document is validated against the schema, and
 * each request is done as often as it comes.
 */
export type BraintreeDouble = Account &
  Settings & {
    /** The transactions, oldest first. Children are among them. */
    transactions(): readonly Transaction[];
    readonly hands: ReturnType<typeof createHands>;
    /** Signs any XML as a webhook. */
    sign(xml: string): { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  };

const DEFAULTS: Settings = {
  ...{ publicKey: 'public_key_of_the_double', privateKey: 'private_key_of_the_double' },
  merchantAccounts: { double_usd: 'USD', double_eur: 'EUR', double_jpy: 'JPY' },
  ...{ searchLagMs: 0, readLagMs: 0, duplicatesMs: 30 * SECOND_MS, namesOriginal: true, hasSeveral: true },
  ...{ declinesRepeats: 'gateway', captureRenamesParent: false, nonceLivesMs: 3 * HOUR_MS },
  ...{ settlesAfterMs: DAY_MS, settlingMs: 0, refundsWhileSettling: false },
  declinedCards: ['4000111111111115'],
};

const SCHEMA = buildSchema(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'));

/** The calls that move money. A fault that names no call is meant for them. */
export const WORK = /^POST \/graphql (authorize|charge|capture|partialCapture|refund|reverse)\w*$/;

/** The calls that read a payment. */
export const READ = /^POST \/graphql (node|search)$/;

export function createBraintreeDouble({
  now = () => new Date(),
  newId = () => randomUUID().replaceAll('-', '').slice(0, 8),
  ...given
}: BraintreeDoubleSettings = {}): BraintreeDouble {
  const settings = { ...DEFAULTS, ...given };
  const world = createWorld(now, newId, settings);
  const account = openAccount<Owed>(world, {
    usual: WORK,
    serveOpenly: () => null,
    answer: (request, fault, faults) => answer(world, request, fault, faults),
    sign: (owed) => signed(owed, now(), settings),
  });
  // All calls have one address, so the root field of the document names the call.
  const handle = (request: DoubleRequest): Promise<DoubleAnswer> =>
    account.handle({ ...request, path: `${request.path} ${fieldIn(request.body)}` });
  return {
    ...{ ...account, ...settings, handle, hands: createHands(world) },
    listen: () => listenOn({ serve: handle }),
    transactions: () => [...world.transactions.values()],
    sign: (xml) => formOf(xml, settings),
  };
}

type Sent = { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> };

/** Reads a document, also in a form with a file. */
const sentIn = (body: string): Sent => JSON.parse(partIn(body, 'operations')?.content ?? body) as Sent;

/** Finds a part of a form by its name. Null in a body that is no form. */
function partIn(body: string, name: string): { readonly head: string; readonly content: string } | null {
  const [, boundary = ''] = /^--([\w-]+)\r\n/.exec(body) ?? [];
  if (boundary === '') return null;
  const part = body.split(`--${boundary}`).find((each) => each.includes(`; name="${name}"`));
  const [head = '', content = ''] = part?.split('\r\n\r\n') ?? [];
  return part === undefined ? null : { head, content: content.replace(/\r\n$/, '') };
}

/** Returns the file of a form, in base64. Refuses a map of other files, and a file of another type. */
function fileIn(body: string): string | null {
  const file = partIn(body, 'file');
  if (!file) return null;
  const isMapped = partIn(body, 'map')?.content === '{"file":"variables.file"}';
  if (!isMapped || !/Content-Type: (application\/pdf|image\/(jpeg|png))/.test(file.head))
    throw new Error('The form of a file is wrong');
  // The bytes are in latin1.
  return Buffer.from(file.content, 'latin1').toString('base64');
}

/** Returns the root field of a document. */
export const fieldIn = (body: string): string => /^\s*\w+[^{]*\{\s*(\w+)/.exec(sentIn(body).query)?.[1] ?? '';

/** Returns our key of a change: the id that Braintree repeats in its answer. */
export const keyIn = (body: string): string => {
  const { input } = (sentIn(body).variables ?? {}) as {
    readonly input?: { readonly clientMutationId?: string };
  };
  return input?.clientMutationId ?? '';
};

/** Answers with the faults that happen before Braintree reads a request, or lets Braintree work. */
async function answer(
  world: World,
  request: DoubleRequest,
  fault: AccountFault | null,
  faults: Faults<AccountFault>,
): Promise<DoubleAnswer> {
  const refused = (errorClass: string) => () => reply(errorAnswer(errorClass));
  const early = refusedEarly(fault, {
    ...{ rate_limited: refused('RESOURCE_LIMIT'), lock_timeout: refused('SERVICE_AVAILABILITY') },
    ...{ unauthorized: refused('AUTHENTICATION'), expired_token: refused('AUTHENTICATION') },
    ...{ forbidden: refused('AUTHORIZATION'), error_before_work: refused('INTERNAL') },
  });
  if (early !== undefined) return early;
  const result = await perform(world, request);
  if (fault === 'hang') await faults.released();
  if (fault === 'error_after_work') return reply(errorAnswer('INTERNAL'));
  return onItsWay(reply(result), fault, spoil);
}

/** Checks the keys, the headers and the document, and lets the document work. */
async function perform(world: World, { method, headers, body }: DoubleRequest): Promise<object> {
  const { publicKey, privateKey } = world.settings;
  const basic = Buffer.from(`${publicKey}:${privateKey}`).toString('base64');
  if (headers['authorization'] !== `Basic ${basic}`) return errorAnswer('AUTHENTICATION');
  if (!/^\d{4}-\d{2}-\d{2}$/.test(headers['braintree-version'] ?? ''))
    return errorAnswer('UNSUPPORTED_CLIENT');
  const isForm = headers['content-type']?.startsWith('multipart/form-data; boundary=') === true;
  if (method !== 'POST' || !(isForm || headers['content-type'] === 'application/json'))
    return errorAnswer('VALIDATION');
  const { query, variables = {} } = sentIn(body);
  const document = parse(query);
  const faults = validate(SCHEMA, document);
  if (faults.length > 0)
    throw new Error(`The document is invalid: ${faults.map(({ message }) => message).join(' ')}`);
  const result = await execute({
    ...{ schema: SCHEMA, document, variableValues: variables, rootValue: resolversOf(world, fileIn(body)) },
  });
  return withoutParts(world, fieldIn(body), answerOf(result));
}

/** Returns the result as Braintree writes it. An error without a class is a fault of the double, or of the variables. */
function answerOf({ data, errors = [] }: ExecutionResult): object {
  for (const { originalError, extensions, message } of errors) {
    if (originalError && !(originalError instanceof GraphQLError)) throw originalError;
    if (extensions['errorClass'] === undefined) throw new Error(`The variables are invalid: ${message}`);
  }
  return {
    data: data ?? null,
    ...(errors.length > 0 && { errors }),
    extensions: { requestId: randomUUID() },
  };
}

const errorAnswer = (errorClass: string): object => ({
  data: null,
  errors: [{ message: `An error of the class ${errorClass}.`, extensions: errorOf(errorClass) }],
  extensions: { requestId: randomUUID() },
});

/** Errors have the status 200, too. */
const reply = (body: object): DoubleResponse => ({
  ...{ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
});
