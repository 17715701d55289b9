import type {
  CreateWebhookEndpointInput,
  UpdateWebhookEndpointInput,
} from '../../../../client/generated/schema.ts';
import type { Endpoint } from './endpoint.ts';

/** A header as a person types it. */
export type Header = { readonly name: string; readonly value: string };

/** The values of an endpoint as a person types them. */
export type Values = {
  readonly url: string;
  readonly description: string;
  readonly eventNames: readonly string[];
  readonly bodyFormat: Endpoint['bodyFormat'];
  readonly autoDisable: boolean;
  /** Null keeps the credentials as they are. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
  /** Null keeps the headers as they are. */
  readonly headers: readonly Header[] | null;
};

/** Returns the values of a form, empty for a new endpoint. Secret values are never read, so a form may only replace them. */
export const valuesOf = (endpoint: Endpoint | null): Values => ({
  url: endpoint?.url ?? '',
  description: endpoint?.description ?? '',
  eventNames: endpoint?.eventNames ?? [],
  bodyFormat: endpoint?.bodyFormat ?? 'PAYGRAPH',
  autoDisable: endpoint?.autoDisable ?? false,
  credentials: endpoint?.basicAuthenticationUsername ? null : { username: '', password: '' },
  headers: endpoint && endpoint.headerNames.length > 0 ? null : [],
});

/** Translates the values for the API. */
export function inputOf(values: Values): CreateWebhookEndpointInput & UpdateWebhookEndpointInput {
  const { url, description, eventNames, bodyFormat, autoDisable, credentials, headers } = values;
  const given = credentials && credentials.username !== '' ? credentials : null;
  return {
    ...{ url: url.trim(), description: description.trim() || null, eventNames, bodyFormat, autoDisable },
    ...(credentials && { basicAuthentication: given }),
    ...(headers && { headers: headers.filter(({ name, value }) => name !== '' || value !== '') }),
  };
}
