import { parseConfig, type Config } from '../../platform/process/config.ts';
import { OperatorError } from '../../platform/operator-error.ts';
import { forOutput } from '../colours.ts';
import { writeBundle } from '../doctor/bundle.ts';
import { checkInstallation, type Finding } from '../doctor/checks.ts';
import { checkOutlets } from '../doctor/outlet-checks.ts';
import { checkReplicas } from '../doctor/replica-checks.ts';
import { readLogErrors } from '../doctor/log-errors.ts';
import { checkService } from '../doctor/service-checks.ts';
import { readEnvironment } from '../environment.ts';
import { UsageError } from '../exit-code.ts';
import { explain } from '../explain.ts';
import { printJson } from '../json.ts';

export type DoctorOptions = {
  readonly json?: boolean | undefined;
  /** The file to write for a support case. */
  readonly bundle?: string | undefined;
  /** Logs of processes, whose latest errors the file gets. */
  readonly log?: readonly string[] | undefined;
};

/**
 * Checks the configuration, the database, the keys and a running service. Prints a line for each check, and changes
 * nothing. Ends with an error when a check has failed. A warning is no failure. With `bundle`, also writes the file for a
 * support case.
 */
export async function doctor({ json, bundle, log = [] }: DoctorOptions): Promise<void> {
  if (bundle === undefined && log.length > 0) throw new UsageError('--log: needs --bundle.');
  if (log.filter((file) => file === '-').length > 1) throw new UsageError('--log: takes - once.');
  const logs = await readLogErrors(log);
  const findings: Finding[] = [];
  const report = (finding: Finding): void => {
    findings.push(finding);
    if (!json) console.log(lineOf(finding));
  };
  const config = await examine(report);
  if (bundle !== undefined) {
    await writeBundle(bundle, config, findings, logs);
    if (!json) console.log(`\nThe file for the support case is ${bundle}. Look at it before you send it.`);
  }
  if (json) printJson({ findings });
  const failed = findings.filter(({ state }) => state === 'failed').length;
  if (failed > 0) throw new OperatorError(`${failed} of ${findings.length} checks failed.`);
  if (!json) console.log(`\n${forOutput.green('Nothing is wrong.')}`);
}

/** Returns the configuration, or null if it is wrong. A wrong configuration ends the examination, because every other check needs the configuration. */
async function examine(report: (finding: Finding) => void): Promise<Config | null> {
  const environment = readEnvironment();
  let config: Config | null = null;
  try {
    config = parseConfig(environment);
    const kind = config.production ? 'production' : 'a sandbox';
    report({ check: 'configuration', state: 'ok', sentence: `The settings are valid for ${kind}.` });
    await checkInstallation(config, report);
    await checkReplicas(config, report);
    await checkOutlets(config, report);
    await checkService(config, report);
  } catch (error) {
    report({ check: 'configuration', state: 'failed', sentence: explain(error) });
  }
  return config;
}

const MARKS = {
  ok: forOutput.green('✓'),
  warning: forOutput.yellow('!'),
  failed: forOutput.red('✗'),
} as const;

const lineOf = ({ check, state, sentence }: Finding): string =>
  `${MARKS[state]} ${check.padEnd(18)} ${sentence.replaceAll('\n', `\n${' '.repeat(21)}`)}`;
