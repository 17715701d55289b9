import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { readOwnSentences } from './own-sentences.ts';
import { describeError } from '../../platform/describe-error.ts';
import { OperatorError } from '../../platform/operator-error.ts';

/** The errors of one log. */
export type LogErrors = {
  /** The number of lines with an error. */
  readonly found: number;
  /** The latest of these lines, oldest first. */
  readonly latest: readonly LogError[];
};

/** A line with an error, without its free texts. */
export type LogError = {
  readonly at: string | null;
  /** The sentence of the line, if the program itself contains it as a whole. */
  readonly event: string | null;
  readonly error: ShownError | null;
  /** The ids of the request and the trace, and the name of the loop. Each is absent if the line lacks it. */
  readonly about: Readonly<Record<string, string>>;
};

/** An error without its message, which may name hosts and values. */
type ShownError = {
  readonly name: string | null;
  readonly code: string | null;
  readonly frames: readonly string[];
};

/** So many lines of each log are kept. */
const KEPT_MAX = 100;

/** The level of an error, as pino numbers the levels. */
const ERROR = 50;

/**
 * Reads the latest errors from logs of processes. `-` is standard input. Lines may have a prefix, as those of containers do. Other
 * lines than those of Paygraph are passed over. Throws an OperatorError for a file that cannot be read.
 */
export async function readLogErrors(files: readonly string[]): Promise<readonly LogErrors[]> {
  const logs: LogErrors[] = [];
  const sentences = files.length > 0 ? await readOwnSentences() : new Set<string>();
  for (const file of files) logs.push(await readLog(file, sentences));
  return logs;
}

async function readLog(file: string, sentences: ReadonlySet<string>): Promise<LogErrors> {
  let found = 0;
  let latest: readonly LogError[] = [];
  try {
    for await (const line of linesOf(file)) {
      const shown = showError(line, sentences);
      if (!shown) continue;
      found += 1;
      latest = [...latest.slice(1 - KEPT_MAX), shown];
    }
  } catch (error) {
    throw new OperatorError(`The log ${file} could not be read: ${describeError(error).code ?? 'unknown'}.`);
  }
  return { found, latest };
}

const linesOf = (file: string): AsyncIterable<string> =>
  file === '-' ? createInterface({ input: process.stdin, crlfDelay: Infinity }) : linesIn(file);

/** Opens the file first, because an interface to a file that is missing would throw at nobody. */
async function* linesIn(file: string): AsyncGenerator<string> {
  await using opened = await open(file);
  yield* opened.readLines();
}

type Line = Readonly<Record<string, unknown>>;

/**
 * Shows a line with an error. Null for any other line. Paygraph's lines name neither process nor host, as other users of pino do.
 * `sentences` are those of the program.
 */
export function showError(text: string, sentences: ReadonlySet<string>): LogError | null {
  const line = readLine(text);
  if (line === null || typeof line['level'] !== 'number' || line['level'] < ERROR) return null;
  if ('pid' in line || 'hostname' in line) return null;
  return {
    at: momentOf(line['time']),
    event: typeof line['msg'] === 'string' && sentences.has(line['msg']) ? line['msg'] : null,
    error: errorOf(line),
    about: Object.fromEntries(
      Object.entries(SHOWN).flatMap(([field, form]) => {
        const value = line[field];
        return typeof value === 'string' && form.test(value) ? [[field, value]] : [];
      }),
    ),
  };
}

/** Reads the object of a line. Containers and systemd put their own words in front. */
function readLine(text: string): Line | null {
  const start = text.indexOf('{"level":');
  if (start === -1 || text.length > LINE_MAX) return null;
  try {
    return JSON.parse(text.slice(start)) as Line;
  } catch {
    return null;
  }
}

/** No line of Paygraph is longer. */
const LINE_MAX = 100_000;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The fields that are shown, each with its only form. Every other field is left out. */
const SHOWN: Readonly<Record<string, RegExp>> = {
  'paygraph.request.id': UUID,
  trace_id: /^[\da-f]{32}$/,
  span_id: /^[\da-f]{16}$/,
  loop: /^[a-z][a-z -]{0,40}$/,
};

/** The last moment of a Date, in milliseconds. */
const MOMENT_MAX = 8.64e15;

const momentOf = (time: unknown): string | null =>
  typeof time === 'number' && Math.abs(time) <= MOMENT_MAX ? new Date(time).toISOString() : null;

function errorOf(line: Line): ShownError | null {
  const { 'exception.type': name, 'error.type': code, 'exception.stacktrace': stack } = line;
  if (name === undefined) return null;
  return {
    name: wordOf(name, /^[a-z][\w.]{0,59}$/i),
    code: wordOf(code, /^\w{1,60}$/),
    frames: typeof stack === 'string' ? stack.split('\n').flatMap(shownFrame) : [],
  };
}

/** Returns a name or a code, such as `TypeError` and `23505`. Null for another text, and for one with a longer number. */
const wordOf = (value: unknown, form: RegExp): string | null =>
  typeof value === 'string' && form.test(value) && value.replaceAll(/\D/g, '').length <= 5 ? value : null;

/** The places that are shown: of Node.js, of a package, and of Paygraph's own folders. */
const PLACES: readonly RegExp[] = [
  /node:[\w/]+:\d+:\d+/,
  /(?<=\/)node_modules\/(?!.*\/node_modules\/)[\w@./+-]+:\d+:\d+/,
  /(?<=\/)(?:src|build)\/(?:modules|platform|http|graph|connectors|kernel|cli)\/(?!.*\/(?:src|build)\/)[\w./-]+:\d+:\d+/,
];

/** Shows the place of a frame below the folder of the installation. The path of that folder may name a person. */
function shownFrame(frame: string): readonly string[] {
  if (!/^\s*at /.test(frame)) return [];
  const place = PLACES.map((form) => form.exec(frame)?.[0]).find((found) => found !== undefined);
  return place === undefined ? [] : [place];
}
