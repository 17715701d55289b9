import { closest } from 'fastest-levenshtein';
import { howToRun } from '../../platform/process/how-to-run.ts';
import { forOutput } from '../colours.ts';
import { printJson } from '../json.ts';
import { UsageError } from '../exit-code.ts';
import { findService, type AccessOptions } from '../service/access.ts';
import type { Act, Payment } from '../trigger/ask-sandbox.ts';
import { playScene } from '../trigger/play.ts';
import { SCENES } from '../trigger/scenes.ts';

export type TriggerOptions = AccessOptions & { readonly json?: boolean | undefined };

/** Plays a scene at a running sandbox, and prints each act. Without a name, prints the list of scenes. */
export async function trigger(name: string | undefined, options: TriggerOptions): Promise<void> {
  if (name === undefined) return options.json ? printJson(sentences()) : console.log(sceneList());
  const scene = SCENES[name];
  if (!scene)
    throw new UsageError(
      `There is no scene ${name}. Did you mean ${closest(name, Object.keys(SCENES))}? ` +
        `List all with: ${howToRun('trigger')}`,
    );
  const access = findService('trigger', options);
  const payment = await playScene(access, scene, (act, after) => {
    if (!options.json) console.log(actLine(act, after));
  });
  if (options.json) return printJson({ scene: name, transaction: payment });
  if (payment.approvalUrl !== null) console.log(`\n${forOutput.cyan(payment.approvalUrl)}`);
  if (scene.later !== undefined) console.log(`\n${scene.later}`);
  console.log(forOutput.dim(`\nSee its events with: ${howToRun('tail', '--replay-last 5')}`));
}

const sentences = (): object =>
  Object.fromEntries(Object.entries(SCENES).map(([name, { what }]) => [name, what]));

function sceneList(): string {
  const width = Math.max(...Object.keys(SCENES).map((name) => name.length));
  const rows = Object.entries(SCENES).map(
    ([name, { what }]) => `  ${forOutput.bold(name.padEnd(width))}  ${what}`,
  );
  return ['The scenes:', '', ...rows, '', `Play one with: ${howToRun('trigger', '<scene>')}`].join('\n');
}

function actLine({ name, status, errorCode }: Act, { id, amount, currency }: Payment): string {
  const isBad = /DECLINED|FAILED/.test(status);
  const ending = (isBad ? forOutput.red : forOutput.green)(status);
  const reason = errorCode === null ? '' : ` (${errorCode})`;
  return `${name.padEnd(8)} ${id}  ${amount} ${currency}  ${ending}${reason}`;
}
