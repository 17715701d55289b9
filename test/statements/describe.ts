import pg from 'pg';

/** A column of a statement's result, with its type in Postgres. */
export type Column = { readonly name: string; readonly type: string };

/** The parts of the driver's connection that describe a statement. */
type Wire = {
  parse(given: { readonly name: string; readonly text: string }): void;
  describe(given: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
};

type Fields = readonly { readonly name: string; readonly dataTypeID: number }[];

/** Has Postgres parse and analyse a statement, and describe its result. The statement does not run. */
class Description implements pg.Submittable {
  readonly #text: string;
  readonly #described = Promise.withResolvers<Fields>();
  #fields: Fields = [];

  constructor(text: string) {
    this.#text = text;
  }

  get described(): Promise<Fields> {
    return this.#described.promise;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    wire.parse({ name: '', text: this.#text });
    wire.describe({ type: 'S', name: '' });
    wire.sync();
  }

  handleRowDescription({ fields }: { readonly fields: Fields }): void {
    this.#fields = fields;
  }

  handleReadyForQuery(): void {
    this.#described.resolve(this.#fields);
  }

  handleError(error: Error): void {
    this.#described.reject(error);
  }
}

/** Describes the result of each statement. Throws for one that Postgres refuses, such as one of an unknown column. */
export async function describeAll(
  url: string,
  statements: readonly { readonly name: string; readonly text: string }[],
): Promise<ReadonlyMap<string, readonly Column[]>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ oid: number; name: string }>(
      'SELECT oid, typname AS name FROM pg_type',
    );
    const types = new Map(rows.map(({ oid, name }) => [oid, name]));
    const all = new Map<string, readonly Column[]>();
    for (const { name, text } of statements) {
      const fields = await client.query(new Description(text)).described.catch((error: unknown) => {
        throw new Error(`Postgres refuses ${name}`, { cause: error });
      });
      all.set(
        name,
        fields.map((each) => ({ name: each.name, type: types.get(each.dataTypeID) ?? '?' })),
      );
    }
    return all;
  } finally {
    await client.end();
  }
}
