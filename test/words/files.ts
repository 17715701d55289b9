import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findings } from './rules.ts';
import { passagesOf } from './passages.ts';

const READ = /\.(tsx?|mjs|graphql|prisma|sql|md)$/;

/** Files with words from elsewhere, and migrations, which nobody may change. */
const ELSEWHERE =
  /(^|\/)(generated|node_modules)\/|^schema\/(api|supergraph)\.graphql$|^prisma\/migrations\//;

/** Lists the broken rules below a path, each as `file:line rule: sentence`. */
export function listBelow(path: string): string[] {
  if (!existsSync(path)) throw new Error(`There is no ${path}.`);
  return filesBelow(path).flatMap((file) =>
    passagesOf(file, readFileSync(file, 'utf8'))
      .flatMap(findings)
      .sort((a, b) => a.line - b.line)
      .map(({ line, rule, sentence }) => `${file}:${line} ${rule}: ${sentence}`),
  );
}

/** Lists the written files below a path that hold prose. */
export function filesBelow(path: string): string[] {
  const files = statSync(path).isDirectory()
    ? globSync(join(path, '**'), { exclude: (each) => each.endsWith('node_modules') })
    : [path];
  return files.filter((file) => READ.test(file) && !ELSEWHERE.test(file)).sort();
}
