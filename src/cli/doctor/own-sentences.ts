import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the program: its sources, or what the build made of them. */
const PROGRAM = join(import.meta.dirname, '../..');

/** The folders that write to the log. */
const FILES = '{cli,connectors,graph,http,modules,platform}/**/*.{ts,js}';

/** A literal that is a sentence. A sentence that takes in a value is none, and neither is one with an escape. */
const SENTENCE = /'([A-Z][^'\\\n]* [^'\\\n]*\.)'|"([A-Z][^"\\\n]* [^"\\\n]*\.)"/g;

/**
 * Reads the sentences of the program's own files. A message of a log that is among them holds no value of a caller, because it is a
 * constant.
 */
export async function readOwnSentences(): Promise<ReadonlySet<string>> {
  const sentences = new Set<string>();
  for await (const file of glob(FILES, { cwd: PROGRAM })) {
    const text = await readFile(join(PROGRAM, file), 'utf8');
    for (const [, single, double] of text.matchAll(SENTENCE)) sentences.add(single ?? double ?? '');
  }
  return sentences;
}
