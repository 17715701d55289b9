/** One step of a demo. */
export type Step = {
  readonly title: string;
  /** The key that the provider saw. Null for a step without one. */
  readonly key: string | null;
  readonly result: string;
  readonly ok: boolean;
  readonly durationMs: number;
};

export type DemoRecord = {
  readonly provider: string;
  readonly definitionId: string;
  /** The place of the provider: its double, or its test environment. */
  readonly place: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly steps: readonly Step[];
};

/** Writes a record as Markdown, for the notes of a release. A record holds no credential and no card. */
export function toMarkdown({ provider, definitionId, place, version, startedAt, steps }: DemoRecord): string {
  const passed = steps.filter(({ ok }) => ok).length;
  const rows = steps.map(
    ({ title, key, result, ok, durationMs }) =>
      `| ${ok ? 'yes' : '**no**'} | ${cell(title)} | ${cell(result)} | ${key ?? ''} | ${Math.round(durationMs)} ms |`,
  );
  return [
    `# Demo of ${provider}`,
    '',
    `- Definition: \`${definitionId}\``,
    `- Place: ${place}`,
    `- Paygraph ${version}, Node.js ${process.version}`,
    `- Started at ${startedAt.toISOString()}`,
    `- ${passed} of ${steps.length} steps passed`,
    '',
    '| passed | step | result | key | duration |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
