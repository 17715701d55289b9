import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../../platform/operator-error.ts';
import { UsageError } from '../../exit-code.ts';
import { firstSignal, sayStopped, type EndSignal } from '../../first-signal.ts';
import { printJson } from '../../json.ts';
import { findService, type Access, type AccessOptions } from '../../service/access.ts';
import { readAccount } from '../account.ts';
import { readRoutingFile } from '../file.ts';
import { nameOf } from '../planned.ts';
import { change } from '../push.ts';
import { readMoment, readNumber } from '../options.ts';
import { versionOf } from '../version-of.ts';
import { progressLine } from './progress-line.ts';
import { readEnded, readRunning } from './read.ts';
import { resultWords } from './result-words.ts';

export type SimulateOptions = AccessOptions & {
  readonly number?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly sample?: string | undefined;
  readonly json?: boolean | undefined;
};

/** The default period. */
const DAYS = 30;
const DAY_MS = 24 * 3_600_000;

/**
 * Plays past payments through the version of a file, or through one with a number, and prints the answer. No payment changes. Ctrl-C
 * cancels the simulation.
 */
export async function simulate(path: string, options: SimulateOptions): Promise<void> {
  const input = {
    from: readMoment('--from', options.from) ?? new Date(Date.now() - DAYS * DAY_MS).toISOString(),
    to: readMoment('--to', options.to),
    sample: readSample(options.sample),
  };
  const number = readNumber(options.number);
  const file = await readRoutingFile(path);
  const access = findService('routing', options);
  const version = await versionOf(access, await readAccount(access), file, { number, path });
  // A signal during the request waits for its answer, so that no simulation stays behind.
  const stopped = firstSignal();
  const { routingSimulationId: id } = await change<{ readonly routingSimulationId: string }>(access, START, {
    input: { ...input, versionId: version.id },
  });
  await follow(access, id, stopped);
  const ended = await readEnded(access, id);
  if (options.json) return printJson(ended);
  for (const line of resultWords(nameOf(version), ended)) console.log(line);
}

const START = `mutation ($input: SimulateRoutingInput!) {
  done: simulateRouting(input: $input) { routingSimulationId userErrors { path message } } }`;
const CANCEL = `mutation ($id: ID!) {
  done: cancelRoutingSimulation(id: $id) { userErrors { path message } } }`;

function readSample(text: string | undefined): number {
  const sample = /^\d{1,3}$/.test(text ?? '100') ? Number(text ?? 100) : 0;
  if (sample >= 1 && sample <= 100) return sample;
  throw new UsageError('--sample: must be a whole number of percent, from 1 to 100.');
}

/** The time between two questions about the progress. */
const POLL_MS = 500;

/** Waits for the end of a simulation, and says its progress. A signal cancels the simulation, and ends the command. */
async function follow(access: Access, id: string, stopped: Promise<EndSignal>): Promise<void> {
  const line = progressLine();
  for (;;) {
    const simulation = await readRunning(access, id);
    const { status } = simulation;
    if (status === 'SUCCEEDED') return line.end();
    if (status === 'CANCELED') throw new OperatorError('Another request canceled the simulation.');
    if (status === 'FAILED')
      throw new OperatorError('The simulation failed. The log of the service has the cause.');
    line.say(simulation);
    const signal = await Promise.race([stopped, delay(POLL_MS, null)]);
    if (signal === null) continue;
    await change(access, CANCEL, { id });
    sayStopped(signal);
  }
}
