import { readFileSync } from 'node:fs';

export const RULES = 'src/deploy/observe/prometheus/alerts.yaml';
export const RULE_TESTS = 'src/deploy/observe/prometheus/alerts.test.yaml';
export const BOARD = 'src/deploy/observe/grafana/paygraph.json';
export const RUNBOOKS = 'src/docs/operate/runbooks.md';

type Panel = {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
};

/** The panels of the board, without the rows. */
export const panels = (): readonly Panel[] =>
  (JSON.parse(readFileSync(BOARD, 'utf8')) as { readonly panels: readonly Panel[] }).panels.filter(
    ({ targets }) => targets !== undefined,
  );

/** Every expression of the board. */
export const expressions = (): readonly string[] =>
  panels().flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** The alerts with their annotation `runbook`, in the order of the file. */
export const alerts = (): readonly { readonly name: string; readonly runbook: string }[] =>
  readFileSync(RULES, 'utf8')
    .split(/^ {6}- alert: /m)
    .slice(1)
    .map((rule) => ({
      name: /^\w+/.exec(rule)?.[0] ?? '',
      runbook: /^ +runbook: (\S+)$/m.exec(rule)?.[1] ?? '',
    }));
