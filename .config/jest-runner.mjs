import { createRunner } from 'jest-light-runner';

const Runner = createRunner({ runtime: 'child_process' });

/**
 * Runs the files in worker processes. The runner sends its settings to all workers when the first worker asks. A worker that
 * asks later would wait for ever, so each worker starts with jest-worker.mjs.
 */
export default class extends Runner {
  async runTests(...given) {
    const own = process.execArgv;
    process.execArgv = [...own, '--import', new URL('jest-worker.mjs', import.meta.url).href];
    try {
      await super.runTests(...given);
    } finally {
      process.execArgv = own;
    }
  }
}
