import { forErrors } from '../../colours.ts';
import type { Running } from './read.ts';

/** Says the progress on standard error. A terminal has one line that changes. A file gets a line for each tenth. */
export type ProgressLine = {
  say(simulation: Pick<Running, 'progress' | 'scanned'>): void;
  end(): void;
};

export function progressLine({ stderr } = process): ProgressLine {
  let tenth = -1;
  return {
    say: ({ progress, scanned }) => {
      const text = `Simulating: ${Math.floor(progress * 100)} %, ${scanned} payments read`;
      if (stderr.isTTY) stderr.write(`\r\u001B[K${forErrors.dim(text)}`);
      else if (Math.floor(progress * 10) > tenth) stderr.write(`${text}\n`);
      tenth = Math.max(tenth, Math.floor(progress * 10));
    },
    end: () => {
      if (stderr.isTTY && tenth >= 0) stderr.write('\r\u001B[K');
    },
  };
}
