import { parseJson } from '../../kernel/json.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import type { Access } from './access.ts';

/** A GraphQL request. */
export type Question = {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly operationName?: string | undefined;
};

/** A GraphQL response. */
export type Reply = {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
};

/** Sends a request, and returns the response with its errors. Throws an OperatorError when no service answers. */
export async function askService(access: Access, question: Question): Promise<Reply> {
  await requireService(access.url);
  const headers = {
    accept: 'application/graphql-response+json',
    'content-type': 'application/json',
    authorization: `Bearer ${await access.token()}`,
    ...(access.merchantAccountId !== undefined && {
      'x-service-merchant-account-id': access.merchantAccountId,
    }),
  };
  const init = { method: 'POST', headers, body: JSON.stringify(question) };
  const response = await fetch(access.url, init).catch(() => nothingAnswers(access.url));
  const reply = parseJson(await response.text());
  if (!isReply(reply))
    throw new OperatorError(`${access.url} answered ${response.status} without GraphQL. Check --url.`);
  return reply;
}

/** Throws an OperatorError when nothing answers. A token would start a database of its own, so this question comes first. */
export async function requireService(url: string): Promise<void> {
  await fetch(url, { method: 'HEAD' }).catch(() => nothingAnswers(url));
}

function nothingAnswers(url: string): never {
  throw new OperatorError(
    `Nothing answers at ${url}. Start the service first, in another terminal: ${howToRun('start')}`,
  );
}

/** Returns the data of a request. Throws an OperatorError with the sentences of the response's errors. */
export async function askForData<Data>(access: Access, question: Question): Promise<Data> {
  const { data, errors } = await askService(access, question);
  if (errors?.length) throw new OperatorError(errors.map(({ message }) => message).join('\n'));
  return data as Data;
}

const isReply = (value: unknown): value is Reply =>
  typeof value === 'object' && value !== null && ('data' in value || 'errors' in value);
