import { writeFileSync } from 'node:fs';

/**
 * Leaves `N passed, N failed` in the file that PAYGRAPH_TEST_SUMMARY names. A suite that could not run counts as failed. What was
 * left out, as tests in a browser are where there is none, is said on standard error.
 */
export default class Summary {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites }) {
    if (numPendingTests > 0) process.stderr.write(`${numPendingTests} tests were skipped.\n`);
    const file = process.env.PAYGRAPH_TEST_SUMMARY;
    if (file)
      writeFileSync(file, `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`);
  }
}
