/** An answer of the client, as axios has it. */
export type ClientAnswer = {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly id: string;
    readonly items: readonly { readonly id: string }[];
  };
  readonly headers: Readonly<Record<string, unknown>>;
};

/** A method of the client: parameters by name, then the body, then settings of axios. */
export type ClientMethod = (
  parameters?: Readonly<Record<string, unknown>> | null,
  body?: unknown,
  settings?: { readonly headers?: Readonly<Record<string, string>> },
) => Promise<ClientAnswer>;

/** A client with a method for each `operationId` of the description. */
export type GeneratedClient = Readonly<Record<string, ClientMethod>>;

type Package = {
  readonly OpenAPIClientAxios: new (settings: object) => { init(): Promise<GeneratedClient> };
};

const PACKAGE: string = 'openapi-client-axios';

/**
 * Generates a client from the served description, with a generator that knows nothing of Paygraph. Needs
 * `installApart('test/clients')` before.
 */
export async function generateClient(url: string, token: string): Promise<GeneratedClient> {
  const { OpenAPIClientAxios } = (await import(PACKAGE)) as Package;
  const settings = { headers: { authorization: `Bearer ${token}` }, validateStatus: () => true };
  const api = new OpenAPIClientAxios({ definition: `${url}/openapi.json`, axiosConfigDefaults: settings });
  return await api.init();
}
