/** True if the words of a command ask for JSON. */
export const asksForJson = (words: readonly string[]): boolean => words.includes('--json');

/** Prints a value as one line of JSON on standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Returns the text for an error that ends a command: its message, or with `json` a line of JSON. */
export const errorText = (message: string, exitCode: number, json: boolean): string =>
  json ? `${JSON.stringify({ error: { message, exitCode } })}\n` : `${message}\n`;
