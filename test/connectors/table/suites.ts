/** A test as the runner reports it. */
export type RunTest = {
  /** The file, below the root of the repository. */
  readonly file: string;
  /** The titles of its `describe`, from the outside. */
  readonly titles: readonly string[];
  readonly status: string;
};

/** The columns of the table. */
export const SUITES = [
  'verbs and faults',
  'webhooks',
  'disputes',
  'settlements',
  'a running service',
  'trouble of the network',
  'its own tests',
] as const;
export type Suite = (typeof SUITES)[number];

/** The passed tests and the others of one suite. */
export type Count = { readonly passed: number; readonly failed: number };

/** Returns the connector that a test is of. Null for a test of the kit. */
export function connectorOf({ file, titles }: RunTest, ids: readonly string[]): string | null {
  const [folder = '', name = ''] = file.replace('test/connectors/', '').split('/');
  if (ids.includes(folder)) return folder;
  if (folder === 'trouble') return ids.find((id) => titles[0]?.toLowerCase().startsWith(id)) ?? null;
  return name === '' ? (ids.find((id) => folder.startsWith(id)) ?? null) : null;
}

/** Returns the suite of a test, by the title of the contract or by the file. */
export function suiteOf({ file, titles: [outermost = ''] }: RunTest): Suite {
  if (file.includes('/trouble/')) return 'trouble of the network';
  if (outermost.startsWith('webhooks of ')) return 'webhooks';
  if (outermost.startsWith('disputes of ')) return 'disputes';
  if (outermost.startsWith('settlements of ')) return 'settlements';
  if (outermost.includes(' in a running service, ')) return 'a running service';
  return / as \S+, /.test(outermost) ? 'verbs and faults' : 'its own tests';
}

/** Counts the tests of each connector and suite. A skipped test counts as failed, because it proves nothing. */
export function countSuites(
  tests: readonly RunTest[],
  ids: readonly string[],
): ReadonlyMap<string, ReadonlyMap<Suite, Count>> {
  const counts = new Map(ids.map((id) => [id, new Map<Suite, Count>()]));
  for (const test of tests) {
    const ofConnector = counts.get(connectorOf(test, ids) ?? '');
    if (!ofConnector) continue;
    const { passed, failed } = ofConnector.get(suiteOf(test)) ?? { passed: 0, failed: 0 };
    const good = test.status === 'passed';
    ofConnector.set(suiteOf(test), { passed: passed + Number(good), failed: failed + Number(!good) });
  }
  return counts;
}
