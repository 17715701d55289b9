import { afterAll, beforeAll } from '@jest/globals';
import { CASES, describeFaults } from './class-faults.ts';
import { startClasses, type Classes } from './class-meetings.ts';

let classes: Classes;
beforeAll(async () => {
  classes = await startClasses();
});
afterAll(() => classes.harness.stop());

describeFaults(() => classes, CASES);
