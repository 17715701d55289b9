import { writeFileSync } from 'node:fs';
import { readModel } from './federation/subgraph-model.ts';
import { compose } from './federation/composition.ts';
import { readSdl, schemaUrl, SUBGRAPHS } from './federation/sdl.ts';

/** Composes the committed schema files and returns their text by name. A review sees each change of the API in them. */
export function composedFiles(): ReadonlyMap<string, string> {
  const models = SUBGRAPHS.map((name) => readModel({ name, resolvers: {} }, readSdl(name)));
  const { apiSdl, supergraphSdl } = compose(models);
  return new Map([
    ['api', `${HEAD}${apiSdl}\n`],
    ['supergraph', `${HEAD}${supergraphSdl}\n`],
  ]);
}

const HEAD = '# Composed by `npm run compose`; never edited.\n';

if (import.meta.main) {
  for (const [name, text] of composedFiles()) writeFileSync(schemaUrl(name), text);
}
