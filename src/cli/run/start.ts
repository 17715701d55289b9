import type { Service } from '../../main.ts';
import type { Config } from '../../platform/process/config.ts';
import { finishLoading } from '../../platform/process/finish-loading.ts';
import { sharesToken } from '../../platform/process/own-address.ts';
import { VERSION } from '../../platform/process/version.ts';
import { forOutput } from '../colours.ts';
import { readConfig } from '../environment.ts';
import type { Progress } from '../../platform/process/progress.ts';
import { firstSignal, sayStopped, type EndSignal } from '../first-signal.ts';
import { printProgress } from '../progress.ts';
import { welcome, workerWelcome } from '../welcome.ts';
import { howToRun } from '../../platform/process/how-to-run.ts';

/**
 * Starts the service, prints its address and the first steps, and serves until a signal comes. Ends the process. A signal
 * during the start ends the start before its next step.
 */
export async function start(): Promise<void> {
  const config = readConfig();
  const signalled = firstSignal();
  // Loading the service takes a good part of a second. A mistake in the configuration is reported before.
  const { startService } = await import('../../main.ts');
  const service = await startUntil(signalled, (progress) => startService(config, { progress }));
  const text = await welcomeTo(service, config);
  finishLoading();
  console.log(text);
  await signalled;
  await printProgress('Finishing running work', () => service.stop());
  console.log(forOutput.dim('Stopped.'));
  process.exit(0);
}

/** Returns the text for a person after the start. */
async function welcomeTo(service: Service, config: Config): Promise<string> {
  const { url, sandbox } = service;
  const notes = await notesFor(service);
  if (!config.PAYGRAPH_ROLES.includes('api'))
    return workerWelcome({ version: VERSION, url, notes, hasMetrics: config.PAYGRAPH_METRICS });
  const token = sandbox ? await sandbox.token() : null;
  const dataFolder = config.DATABASE_URL === undefined ? config.PAYGRAPH_DATA_DIR : null;
  const hasDashboard = config.PAYGRAPH_DASHBOARD !== 'off';
  return welcome({ version: VERSION, url, token, notes, hasDashboard, dataFolder });
}

/**
 * Starts the service with a progress that begins no step after a signal. The start then undoes its former steps, and the
 * process ends.
 */
async function startUntil(
  signalled: Promise<EndSignal>,
  run: (progress: Progress) => Promise<Service>,
): Promise<Service> {
  const ended: { signal?: EndSignal } = {};
  void signalled.then((signal) => (ended.signal = signal));
  const service = await run(async (what, work) => {
    if (ended.signal) throw new Error(`A signal came before "${what}".`);
    return await printProgress(what, work);
  }).catch((error: unknown) => {
    if (ended.signal) return sayStopped(ended.signal);
    throw error;
  });
  if (!ended.signal) return service;
  await service.stop();
  return sayStopped(ended.signal);
}

/** Returns what the operator must know after this start. */
async function notesFor({ app, sandbox }: Service): Promise<readonly string[]> {
  const { config } = app;
  const { findUsableKey } = await import('../../modules/accounts/index.ts');
  if (!sandbox && (await findUsableKey(app)) === null)
    return [
      `No API key exists yet, so the API answers nobody. Create the first key with: ${howToRun('setup')}`,
    ];
  if (!config.PAYGRAPH_ROLES.includes('api'))
    return config.PAYGRAPH_PUBLIC_URL === undefined
      ? [
          'This process does not know where buyers reach the service. Set PAYGRAPH_PUBLIC_URL to the address of ' +
            'the process with the role api.',
        ]
      : [];
  if (sandbox && !sharesToken(config))
    return [
      `This sandbox listens on ${config.HOST}, where others may reach it. Its page therefore hands out no token. ` +
        'PAYGRAPH_SHARE_SANDBOX_TOKEN=true allows that.',
    ];
  return [];
}
