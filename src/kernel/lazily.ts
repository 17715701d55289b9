type Makers<Given> = Readonly<Record<string, (given: Given) => unknown>>;

/** The parts that makers make, by name. */
export type Made<Table extends Makers<never>> = {
  readonly [Name in keyof Table]: ReturnType<Table[Name]>;
};

const GIVEN = Symbol('given');

/**
 * Returns a function that creates an object of parts. A part is made when it is first read, and kept. Only made parts are
 * enumerable. So an object with many parts costs little where few are read.
 */
export function lazily<Given, Table extends Makers<Given>>(table: Table): (given: Given) => Made<Table> {
  const prototype = Object.create(null) as object;
  for (const [name, make] of Object.entries(table)) {
    Object.defineProperty(prototype, name, {
      get(this: { readonly [GIVEN]: Given }) {
        const value = make(this[GIVEN]);
        Object.defineProperty(this, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return (given) =>
    Object.defineProperty(Object.create(prototype) as object, GIVEN, { value: given }) as Made<Table>;
}
