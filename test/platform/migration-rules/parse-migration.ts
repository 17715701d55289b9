import { parse, type Node } from 'libpg-query';

/** A statement of a migration, with the line of its first word. */
export type Statement = { readonly node: Node; readonly line: number; readonly text: string };

/** Parses the script of a migration. Throws the error of Postgres's own parser. */
export async function parseMigration(script: string): Promise<readonly Statement[]> {
  const { stmts = [] } = await parse(script);
  // The parser counts bytes.
  const bytes = Buffer.from(script);
  return stmts.map(({ stmt, stmt_location: start = 0, stmt_len: length = bytes.length - start }) => {
    const whole = bytes.subarray(start, start + length).toString();
    const skipped = BEFORE.exec(whole)?.[0] ?? '';
    return {
      node: stmt as Node,
      line: (bytes.subarray(0, start).toString() + skipped).split('\n').length,
      text: whole.slice(skipped.length).trim(),
    };
  });
}

/** The blanks and comments that the parser counts to a statement. */
const BEFORE = /^(?:\s|--.*(?:\n|$)|\/\*[^]*?\*\/)*/;

/** True if the test holds for an object of a tree and its key, such as `UpdateStmt`. Bodies of functions are left out. */
export function hasNode(
  tree: unknown,
  test: (key: string, value: Readonly<Record<string, unknown>>) => boolean,
): boolean {
  if (Array.isArray(tree)) return tree.some((each) => hasNode(each, test));
  if (typeof tree !== 'object' || tree === null) return false;
  return Object.entries(tree).some(([key, value]) => {
    if (key === 'CreateFunctionStmt' || key === 'RuleStmt') return false;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return (isObject && test(key, value as Readonly<Record<string, unknown>>)) || hasNode(value, test);
  });
}
