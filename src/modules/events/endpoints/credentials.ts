import type { SealContext, Vault } from '../../../platform/vault/vault.ts';
import type { BasicAuthentication, WebhookHeader } from './input-credentials.ts';

/** The stored form of an endpoint's own headers and basic authentication. */
export type SealedCredentials = {
  /** A JSON list of names and values. */
  readonly sealedHeaders: string | null;
  readonly basicAuthUsername: string | null;
  readonly sealedBasicPassword: string | null;
};

/** The clear form from an input. Undefined: absent from the input. */
export type Credentials = {
  readonly headers?: readonly WebhookHeader[] | undefined;
  readonly basicAuthentication?: BasicAuthentication | null | undefined;
};

/** The columns of credentials. Absent credentials are undefined, so that an update leaves their columns unchanged. */
export type CredentialColumns = Partial<SealedCredentials> & {
  readonly headerNames?: string[] | undefined;
};

/** The endpoint of the credentials. A sealed text opens for no other endpoint. */
export type CredentialOwner = { readonly merchantAccountId: string; readonly endpointId: string };

/**
 * Seals header values and the password. Call it outside transactions, because the vault may need a connection of its
 * own.
 */
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

/** Opens credentials as headers in clear text. The result must not be stored, logged or returned. */
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

/** Returns credentials for the record of an idempotency key. Keyed digests replace the secret values. */
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
