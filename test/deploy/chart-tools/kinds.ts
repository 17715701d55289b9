import { join } from 'node:path';
import ts from 'typescript';

/** A manifest of Kubernetes. */
export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: never;
};

const FOLDER = import.meta.dirname;

/** A package has a folder for each version of an API. The core has none of its own, and an operator has a package. */
const moduleOf = ({ apiVersion, kind }: Manifest): string =>
  `${apiVersion.startsWith('monitoring.coreos.com/') ? '@kubernetes-models/prometheus-operator' : 'kubernetes-models'}/${apiVersion}/${kind}`;

/** Returns the faults that the validators of the kinds find. They let unknown keys pass. */
export async function invalidValues(manifests: readonly Manifest[]): Promise<string[]> {
  const faults: string[] = [];
  for (const manifest of manifests) {
    const path = join(FOLDER, 'node_modules', `${moduleOf(manifest)}.js`);
    const kinds = (await import(path)) as Record<string, new (given: Manifest) => { validate(): void }>;
    const Kind = kinds[manifest.kind];
    try {
      if (Kind === undefined) faults.push(`${manifest.kind} is unknown.`);
      else new Kind(manifest).validate();
    } catch (error) {
      faults.push(`${manifest.kind} ${manifest.metadata.name}: ${String(error)}`);
    }
  }
  return faults;
}

/** Returns the keys that the kinds don't have. The compiler of TypeScript finds them, because it refuses excess properties. */
export function unknownKeys(manifests: readonly Manifest[]): string[] {
  const file = join(FOLDER, 'manifests.virtual.ts');
  const text = manifests
    .map((manifest, nth) => {
      const type = `import('${moduleOf(manifest)}').I${manifest.kind}`;
      return `export const manifest${nth}: ${type} = ${JSON.stringify(manifest)};`;
    })
    .join('\n');
  const options: ts.CompilerOptions = {
    ...{ noEmit: true, strict: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ES2022 },
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => name === file || disk.fileExists(name),
    readFile: (name) => (name === file ? text : disk.readFile(name)),
    getSourceFile: (name, ...rest) =>
      name === file
        ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
        : disk.getSourceFile(name, ...rest),
  };
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
