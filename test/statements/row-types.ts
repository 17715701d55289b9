import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The row type that a call of `query` declares for a prepared statement. */
export type RowType = {
  readonly statement: string;
  readonly file: string;
  /** Prisma sends the statement, and reads a bigint as such. */
  readonly isByPrisma: boolean;
  /** The kinds of the properties, such as `string` or `number[]`, by name. */
  readonly properties: ReadonlyMap<string, string>;
};

/** The calls of `query` with a row type: those of a prepared statement, and the number of others by file. */
export type RowTypes = { readonly paired: readonly RowType[]; readonly others: ReadonlyMap<string, number> };

const CALL = /\bquery</;

/**
 * Reads the row types at the calls `db.query<Row>(statement(...))` with the compiler. A call may choose one of several statements.
 * Other calls build their statement first.
 *
 * The program has the files of `src` alone. A type from a package or from generated code is of the kind `any`.
 */
export function readRowTypes(): RowTypes {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('generated'))
    .map((path) => join('src', path))
    .filter((path) => CALL.test(readFileSync(path, 'utf8')));
  const program = programOf(paths);
  const checker = program.getTypeChecker();
  const paired: RowType[] = [];
  const others = new Map<string, number>();
  const visit = (file: string, node: ts.Node): void => {
    if (isQuery(node)) {
      const found = pair(checker, file, node);
      paired.push(...found);
      if (found.length === 0) others.set(file, (others.get(file) ?? 0) + 1);
    }
    node.forEachChild((child) => visit(file, child));
  };
  for (const path of paths) visit(path, program.getSourceFile(path) ?? ts.factory.createEmptyStatement());
  return { paired, others };
}

function programOf(paths: readonly string[]): ts.Program {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es5.d.ts'],
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => ({
      resolvedModule:
        text.startsWith('.') && text.endsWith('.ts') && !text.includes('generated')
          ? { resolvedFileName: join(from, '..', text), extension: ts.Extension.Ts }
          : undefined,
    }));
  return ts.createProgram(paths, options, host);
}

type Query = ts.CallExpression & { readonly expression: ts.PropertyAccessExpression };

const isQuery = (node: ts.Node): node is Query =>
  ts.isCallExpression(node) &&
  node.typeArguments?.length === 1 &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'query';

/** Pairs a call with each statement that it may send. */
function pair(checker: ts.TypeChecker, file: string, call: Query): readonly RowType[] {
  const [made] = call.arguments;
  const [row] = call.typeArguments ?? [];
  const statements = made ? namesOf(checker, made) : [];
  if (statements.includes(null) || !row) return [];
  const properties = checker.getPropertiesOfType(checker.getTypeFromTypeNode(row));
  return statements.map((statement) => ({
    statement: statement ?? '',
    file,
    isByPrisma: call.expression.expression.getText().startsWith('queryIn('),
    properties: new Map(
      properties.map((each) => [each.name, kindOf(checker, checker.getTypeOfSymbol(each))]),
    ),
  }));
}

type Name = string | null;

/** Returns the names of the statements that an expression may send. Null stands for a statement that the walk does not find. */
function namesOf(checker: ts.TypeChecker, made: ts.Expression): readonly Name[] {
  if (ts.isConditionalExpression(made))
    return [...namesOf(checker, made.whenTrue), ...namesOf(checker, made.whenFalse)];
  if (!ts.isCallExpression(made)) return [null];
  const { expression } = made;
  if (ts.isElementAccessExpression(expression)) return membersOf(valueOf(checker, expression.expression));
  return [nameOf(valueOf(checker, expression))];
}

/** Returns the value of a constant, without the mark of a constant. */
function valueOf(checker: ts.TypeChecker, constant: ts.Expression): ts.Expression | null {
  const found = checker.getSymbolAtLocation(constant);
  const symbol = found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
  const declared = symbol?.valueDeclaration;
  const value = declared && ts.isVariableDeclaration(declared) ? declared.initializer : undefined;
  return value && ts.isAsExpression(value) ? value.expression : (value ?? null);
}

const membersOf = (value: ts.Expression | null): readonly Name[] =>
  value && ts.isObjectLiteralExpression(value)
    ? value.properties.map((each) => (ts.isPropertyAssignment(each) ? nameOf(each.initializer) : null))
    : [null];

/** Returns the name in `prepare('name', ...)` or `prepareFile(import.meta, 'name.sql')`. */
function nameOf(made: ts.Expression | null): Name {
  if (!made || !ts.isCallExpression(made)) return null;
  const name = made.arguments[made.expression.getText() === 'prepareFile' ? 1 : 0];
  const isPrepared = /^prepare(File)?$/.test(made.expression.getText());
  if (!isPrepared || !name || !ts.isStringLiteral(name)) return null;
  return name.text.replace(/\.sql$/, '').replaceAll('-', '_');
}

/** Returns the kind of a property without null. Different kinds stand side by side. */
function kindOf(checker: ts.TypeChecker, type: ts.Type): string {
  const parts = type.isUnion() ? type.types : [type];
  const kinds = new Set(parts.map((part) => kindOfPart(checker, part)).filter((kind) => kind !== 'null'));
  return [...kinds].toSorted().join(' | ');
}

const FLAGS: readonly (readonly [ts.TypeFlags, string])[] = [
  [ts.TypeFlags.Any | ts.TypeFlags.Unknown, 'any'],
  [ts.TypeFlags.Null, 'null'],
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.BigIntLike, 'bigint'],
];

function kindOfPart(checker: ts.TypeChecker, type: ts.Type): string {
  const flag = FLAGS.find(([flags]) => type.flags & flags);
  if (flag) return flag[1];
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    return `${element ? kindOf(checker, element) : 'any'}[]`;
  }
  return type.getSymbol()?.name === 'Date' ? 'Date' : 'object';
}
