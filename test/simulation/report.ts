import type { Kind } from './real/plan.ts';
import { totalOf, type Tally } from './tally.ts';

/** The sums of a run, in one or more slices. */
export type Report = {
  readonly seed: number;
  readonly kind: Kind;
  readonly histories: number;
  readonly violations: number;
  readonly durationMs: number;
  readonly slices: number;
  /** The same histories give the same digest. */
  readonly digest: bigint;
  readonly tally: Tally;
};

/** Formats a report as Markdown: its sums, then the count of each event. */
export function describeReport(report: Report): string {
  const groups = [
    'histories by provider',
    'acts',
    'asked of real providers',
    'stripe faults',
    'adyen faults',
    'paypal faults',
    'checkout faults',
    'braintree faults',
    'webhooks of real providers',
    'done by the provider',
    'decided later',
    'provider faults',
    'decided by the third party',
    'third party faults',
    'answers',
    'heard by buyers',
    'heard by the third party',
    'reported by webhook',
    'taken back',
    'disputes',
    'responses to disputes',
    'ends of webhooks',
    'resolved by hand',
    'crashes',
  ];
  return [
    describeSums(report),
    ...groups.map((group) => `## ${heading(group)}\n\n${tableOf(report.tally, group)}`),
  ].join('\n\n');
}

/** Formats the sums of a report as a table. */
export function describeSums(report: Report): string {
  const { seed, histories, violations, durationMs, slices, digest, tally } = report;
  const seconds = durationMs / 1_000;
  const rows: readonly (readonly [string, string])[] = [
    ['seed', String(seed)],
    ['histories', number(histories)],
    ['histories with a violation', number(violations)],
    ['digest', digest.toString(16).padStart(16, '0')],
    [
      'duration',
      `${number(seconds)} s in ${slices} ${slices === 1 ? 'slice' : 'slices'}, ${number(histories / seconds)} histories/s`,
    ],
    ['operations judged', number(tally.get('effects')?.get('operations') ?? 0)],
    ['events judged', number(tally.get('effects')?.get('events') ?? 0)],
    ['history entries judged', number(tally.get('effects')?.get('history entries') ?? 0)],
    ['repeats compared', number(tally.get('effects')?.get('repeats') ?? 0)],
    ['payments with splits', number(tally.get('effects')?.get('payments with splits') ?? 0)],
    ['points passed', number(totalOf(tally, 'turns'))],
    ['crashes', `${number(totalOf(tally, 'crashes'))} at ${tally.get('crashes')?.size ?? 0} points`],
    [
      'drivers that stood still',
      `${number(totalOf(tally, 'pauses'))} at ${tally.get('pauses')?.size ?? 0} points`,
    ],
    ['lost database connections', number(totalOf(tally, 'lost database connections'))],
    ['overlapping statements', number(totalOf(tally, 'overlaps'))],
    ['provider faults', number(totalOf(tally, 'provider faults'))],
    ['third party faults', number(totalOf(tally, 'third party faults'))],
  ];
  return table(['', ''], rows);
}

/** Returns the committed report, with the command that regenerates it. */
export const reportFile = (report: Report): string => `# The last full simulation

\`npm run simulate -- --seed ${report.seed} --histories ${report.histories}${report.kind === 'any' ? '' : ` --provider ${report.kind}`} --report\`

With \`--minutes N --resume\` the run is split into slices. \`test/simulation/README.md\` describes the histories, the
checks and the limits of replays.

${describeReport(report)}
`;

const heading = (group: string): string => group.charAt(0).toUpperCase() + group.slice(1);

function tableOf(tally: Tally, group: string): string {
  const names = [...(tally.get(group) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return table(
    [group, 'times'],
    names.map(([name, times]) => [name, number(times)]),
  );
}

/** Formats rows as Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** Rounds a number and groups its digits by three. */
const number = (value: number): string => Math.round(value).toLocaleString('en-GB').replaceAll(',', ' ');
