import { CommanderError } from 'commander';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { explain } from './explain.ts';
import { sayGoodbyeOnInterrupt } from './first-signal.ts';
import { asksForJson, errorText } from './json.ts';
import { createProgram } from './program.ts';

sayGoodbyeOnInterrupt();
const words = process.argv.slice(2);
const json = asksForJson(words);
try {
  // So `npx paygraph` in an empty folder is a sandbox.
  await createProgram({ json }).parseAsync(words.length === 0 ? ['start'] : words, { from: 'user' });
} catch (error) {
  // The library has printed its own sentence, or the help.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage;
  else {
    process.exitCode = exitCodeOf(error);
    process.stderr.write(errorText(explain(error), exitCodeOf(error), json));
  }
}
