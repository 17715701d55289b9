import { writeFileSync } from 'node:fs';

/** Leaves `N passed, N failed` in the file that PAYGRAPH_TEST_SUMMARY names. A suite that could not run counts as failed. */
export default class Summary {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const file = process.env.PAYGRAPH_TEST_SUMMARY;
    if (file)
      writeFileSync(file, `${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed\n`);
  }
}
