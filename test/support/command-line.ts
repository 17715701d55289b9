import { parseArgs, type ParseArgsConfig, type ParseArgsOptionsConfig } from 'node:util';

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/**
 * Reads the words of a contributor's command. With `--help` prints the usage, and ends the process. A wrong word ends the
 * process with a sentence and the code 2, as in the program `paygraph`.
 */
export function readCommandLine<const Options extends ParseArgsOptionsConfig>(
  usage: string,
  options: Options,
  words: Partial<Pick<ParseArgsConfig, 'allowPositionals' | 'allowNegative'>> = {},
): Parsed<Options> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${usage.trim()}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ ...words, options });
  } catch (error) {
    const [problem = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    process.stderr.write(`${problem}. Add --help to see what is possible.\n`);
    process.exit(2);
  }
}

/** Reads a whole number of 1 or more from an option. Another text ends the process with a sentence and the code 2. */
export function readWholeNumber(option: string, text: string, min = 1): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= min) return Number(text);
  process.stderr.write(
    `${option}: must be a whole number from ${min}. Add --help to see what is possible.\n`,
  );
  process.exit(2);
}
