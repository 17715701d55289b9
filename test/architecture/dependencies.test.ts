import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, sep } from 'node:path';
import { expect, it } from '@jest/globals';
import ts from 'typescript';
import { CLIENTS } from '../../src/platform/brokers/load-client.ts';

type Packages = Readonly<Record<string, string>>;

const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: Packages;
  readonly devDependencies: Packages;
};

/** Files that only a contributor's commands load: `compose` and `migrate:new`. */
const DEVELOPMENT =
  /^(graph\/federation\/(compose|composition)|platform\/migrate\/(engine|write-migration))\.ts$/;

/** Packages that no import of a written file names: the runtime of `npm start`, and the base of the generated client. */
const WITHOUT_IMPORT = ['node', '@prisma/client'];

/** Packages that an operator installs who uses them. Their versions are in `load-client.ts`. */
const INSTALLED_APART = Object.values(CLIENTS).flat();

const nameOf = (packageAndVersion: string): string => packageAndVersion.replace(/@[^@]+$/, '');

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.ts') && !path.includes('generated/') && !path.startsWith('dashboard/'));

/** Lists the packages that a file loads when it runs, without imports of types. */
function packagesOf(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(join('src', path), 'utf8'), ts.ScriptTarget.ES2024);
  const named: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = loadedBy(node);
    if (name && ts.isStringLiteral(name)) named.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return named
    .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    .map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
}

/** Finds the name in `import … from`, `export … from`, `import()` and `resolve()`. */
function loadedBy(node: ts.Node): ts.Expression | undefined {
  if (ts.isImportDeclaration(node)) return isOfTypes(node) ? undefined : node.moduleSpecifier;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly ? undefined : node.moduleSpecifier;
  if (!ts.isCallExpression(node)) return undefined;
  const { expression, arguments: given } = node;
  const isResolve = ts.isPropertyAccessExpression(expression) && expression.name.text === 'resolve';
  return isResolve || expression.kind === ts.SyntaxKind.ImportKeyword ? given[0] : undefined;
}

const isOfTypes = ({ importClause }: ts.ImportDeclaration): boolean => {
  if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const bindings = importClause?.namedBindings;
  if (!bindings || importClause.name || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.every(({ isTypeOnly }) => isTypeOnly);
};

it('the service installs exactly the packages that it loads', () => {
  const loaded = new Set(files.filter((path) => !DEVELOPMENT.test(path)).flatMap(packagesOf));

  const expected = [...Object.keys(dependencies), ...INSTALLED_APART.map(nameOf)];
  expect([...loaded, ...WITHOUT_IMPORT].sort()).toEqual(expected.sort());
});

it('the tests run with the versions of the packages that are installed apart', () => {
  expect(INSTALLED_APART.length).toBeGreaterThan(0);
  for (const each of INSTALLED_APART) expect(each).toBe(`${nameOf(each)}@${devDependencies[nameOf(each)]}`);
});

/** The packages that the dashboard and the service load. Both draw codes. */
const SHARED = ['uqr'];

it('the dashboard loads packages that only its build needs', () => {
  const loaded = readdirSync('src/dashboard', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => packagesOf(join('dashboard', path)));

  expect(loaded).toContain('react-dom');
  expect(loaded).toEqual(expect.arrayContaining(SHARED));
  const own = loaded.filter((name) => !SHARED.includes(name));
  expect(own.filter((name) => !(name in devDependencies) || name in dependencies)).toEqual([]);
});

it('the files for development load packages for development', () => {
  const loaded = files.filter((path) => DEVELOPMENT.test(path)).flatMap(packagesOf);

  expect(loaded).toContain('@theguild/federation-composition');
  expect(loaded.filter((name) => !(name in devDependencies || name in dependencies))).toEqual([]);
});
