import type pg from 'pg';
import utils from 'pg/lib/utils.js';
import type { Statement } from './statement.ts';

/** A named statement. A connection prepares it once. */
export type Named = Statement & { readonly name: string };

/** The parts of the driver's connection that send a statement. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void };
  /** The texts of the statements that the connection has prepared, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(given: { readonly name: string; readonly text: string }): void;
  bind(given: {
    readonly statement: string;
    readonly values: readonly unknown[];
    readonly valueMapper: (value: unknown) => unknown;
  }): void;
  describe(given: { readonly type: 'P' }): void;
  execute(given: object): void;
  sync(): void;
};

type Reader = (text: string) => unknown;

/** The readers of the columns of each statement that a connection has described, by the name of the statement. */
type Described = Map<string, readonly Reader[]>;

const described = new WeakMap<object, Described>();

function describedOn(connection: object): Described {
  const known = described.get(connection) ?? new Map<string, readonly Reader[]>();
  described.set(connection, known);
  return known;
}

/**
 * Runs a named statement that answers rows as arrays, as the driver's own query would.
 *
 * The driver asks for the description of the columns at each run, and makes readers of it. This query asks once for each
 * connection. Postgres refuses a prepared statement whose columns have changed, so the readers stay right.
 */
export class ArrayQuery implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  /** The driver sets the function that hears of the rows or of the error, once. */
  declare callback: (error: Error | null, rows?: readonly unknown[]) => void;
  readonly #values: readonly unknown[];
  readonly #types: pg.CustomTypesConfig;
  readonly #rows: unknown[][] = [];
  #readers: readonly Reader[] | undefined;
  #described: Described | undefined;

  constructor({ name, text, values }: Named, types: pg.CustomTypesConfig) {
    this.name = name;
    this.text = text;
    this.#values = values;
    this.#types = types;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    const { name, text } = this;
    this.#described = describedOn(connection);
    this.#readers = this.#described.get(name);
    // All messages go out together.
    wire.stream.cork();
    try {
      if (wire.parsedStatements[name] === undefined) wire.parse({ name, text });
      wire.bind({ statement: name, values: this.#values, valueMapper: utils.prepareValue });
      if (!this.#readers) wire.describe({ type: 'P' });
      wire.execute({});
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    this.#readers = fields.map(({ dataTypeID }) => this.#types.getTypeParser(dataTypeID, 'text') as Reader);
    this.#described?.set(this.name, this.#readers);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const readers = this.#readers ?? [];
    const row = new Array<unknown>(fields.length);
    for (let index = 0; index < row.length; index += 1) {
      const text = fields[index];
      row[index] = text == null ? null : readers[index]?.(text);
    }
    this.#rows.push(row);
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#rows);
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleCommandComplete(): void {
    // The rows end with the message that the connection is ready.
  }

  handleEmptyQuery(): void {
    // A statement without text answers no row.
  }
}
