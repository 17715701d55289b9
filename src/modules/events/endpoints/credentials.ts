import type { SealContext, Vault } from '../../../platform/vault/vault.ts';
import type { BasicAuthentication, WebhookHeader } from './input-credentials.ts';

/** What an endpoint's requests carry beside our own headers, as it is kept. */
export type SealedCredentials = {
  /** A JSON list of names and values. */
  readonly sealedHeaders: string | null;
  readonly basicAuthUsername: string | null;
  readonly sealedBasicPassword: string | null;
};

/** The same in clear, as an input gives it; undefined: not given. */
export type Credentials = {
  readonly headers?: readonly WebhookHeader[] | undefined;
  readonly basicAuthentication?: BasicAuthentication | null | undefined;
};

/** Columns that say the same; those of what was not given are undefined, so that an update leaves them as they are. */
export type CredentialColumns = Partial<SealedCredentials> & {
  readonly headerNames?: string[] | undefined;
};

/** The endpoint that the credentials belong to: a sealed text opens for no other. */
export type CredentialOwner = { readonly merchantAccountId: string; readonly endpointId: string };

/** Seals header values and the password. Not inside a transaction: the vault may need a connection of its own. */
export async function sealCredentials(
  vault: Vault,
  owner: CredentialOwner,
  { headers, basicAuthentication: basic }: Credentials,
): Promise<CredentialColumns> {
  const seal = (column: Column, clear: string): Promise<string> =>
    vault.seal(contextOf(owner, column), clear);
  return {
    ...(headers && {
      headerNames: headers.map(({ name }) => name),
      sealedHeaders: headers.length === 0 ? null : await seal('sealed_headers', JSON.stringify(headers)),
    }),
    ...(basic !== undefined && {
      basicAuthUsername: basic?.username ?? null,
      sealedBasicPassword: basic ? await seal('sealed_basic_password', basic.password) : null,
    }),
  };
}

/** The headers that credentials stand for, in clear: they must not be stored, logged or returned. */
export async function openCredentials(
  vault: Vault,
  owner: CredentialOwner,
  { sealedHeaders, basicAuthUsername, sealedBasicPassword }: SealedCredentials,
): Promise<Readonly<Record<string, string>>> {
  const open = (column: Column, sealed: string): Promise<string> =>
    vault.open(contextOf(owner, column), sealed);
  const headers =
    sealedHeaders === null
      ? []
      : (JSON.parse(await open('sealed_headers', sealedHeaders)) as readonly WebhookHeader[]);
  const given = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  if (basicAuthUsername === null || sealedBasicPassword === null) return given;
  const password = await open('sealed_basic_password', sealedBasicPassword);
  const pair = Buffer.from(`${basicAuthUsername}:${password}`, 'utf8').toString('base64');
  return { ...given, authorization: `Basic ${pair}` };
}

/** Credentials as the record of an idempotency key may hold them: keyed digests stand for what is secret. */
export async function digestCredentials(
  vault: Vault,
  merchantAccountId: string,
  { headers = [], basicAuthentication: basic }: Credentials,
): Promise<Readonly<Record<string, unknown>>> {
  const digest = (column: Column, value: string): Promise<string> =>
    vault.fingerprint(merchantAccountId, `webhook_endpoint.${column}:${value}`);
  return {
    headers: await Promise.all(
      headers.map(async ({ name, value }) => ({ name, value: await digest('sealed_headers', value) })),
    ),
    basicAuthentication: basic && {
      username: basic.username,
      password: await digest('sealed_basic_password', basic.password),
    },
  };
}

type Column = 'sealed_headers' | 'sealed_basic_password';

const contextOf = ({ merchantAccountId, endpointId }: CredentialOwner, column: Column): SealContext => ({
  merchantAccountId,
  table: 'webhook_endpoint',
  column,
  rowId: endpointId,
});
