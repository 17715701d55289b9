import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const SOURCES = new URL('../../src/modules/transactions', import.meta.url).pathname;

const KINDS = ['authorize', 'capture', 'refund', 'void', 'cancel'] as const;

/** Of gift cards, whose providers decide at once and cannot be asked what became of anything. */
const GIFT_CARD_KINDS = ['redeem', 'unredeem'] as const;
const NOT_OF_GIFT_CARDS = /\.(accept|look)/;

/**
 * The names of the failpoints in the transactions module, read from its sources: a new one is crashed at from then on. But
 * for those of providers' webhooks, of judging fraud and of sessions, which no history has: they have tests of their own.
 */
export async function readFailpoints(): Promise<readonly string[]> {
  const files = await readdir(SOURCES, { recursive: true });
  const texts = await Promise.all(
    files.filter((file) => file.endsWith('.ts')).map((file) => readFile(join(SOURCES, file), 'utf8')),
  );
  const written = texts.flatMap((text) => [...text.matchAll(CALL)].map(([, name = '']) => name));
  const names = written.flatMap(expand).filter((name) => !NOT_SIMULATED.test(name));
  return [...new Set(names)].toSorted();
}

const NOT_SIMULATED = /^(inbound|inbound-review|anti-fraud|approval\.(?!decided))/;
const CALL = /\bfailpoint\(\s*['"`]([^'"`]+)['"`]/g;
const PART = /\$\{(?:kind|verb)\}/;

/** A name with the kind of operation in it stands for one of each kind; any other part cannot be read from the text. */
function expand(name: string): readonly string[] {
  const kinds = NOT_OF_GIFT_CARDS.test(name) ? KINDS : [...KINDS, ...GIFT_CARD_KINDS];
  const names = PART.test(name) ? kinds.map((kind) => name.replace(PART, kind)) : [name];
  const unread = names.find((one) => one.includes('${'));
  if (unread !== undefined) throw new Error(`The failpoint ${unread} has a part that is not known here.`);
  return names;
}
