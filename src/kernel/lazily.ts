type Makers<Given> = Readonly<Record<string, (given: Given) => unknown>>;

/** The parts that makers make, by name. */
export type Made<Table extends Makers<never>> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]>;
};

/**
 * Returns a function that creates an object of parts. A part is made when it is first read, and kept. Only made parts are
 * enumerable. So an object with many parts costs little where few are read.
 */
export function lazily<Given, Table extends Makers<Given>>(table: Table): (given: Given) => Made<Table> {
  class Parts {
    readonly #given: Given;
    constructor(given: Given) {
      this.#given = given;
    }
    static make(parts: Parts, name: string, make: (given: Given) => unknown): unknown {
      const value = make(parts.#given);
      Object.defineProperty(parts, name, { value, enumerable: true });
      return value;
    }
  }
  for (const [name, make] of Object.entries(table)) {
    Object.defineProperty(Parts.prototype, name, {
      get(this: Parts) {
        return Parts.make(this, name, make);
      },
    });
  }
  return (given) => new Parts(given) as unknown as Made<Table>;
}
