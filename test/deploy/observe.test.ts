import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { alerts, expressions, panels, RULES, RUNBOOKS } from './observe.ts';

/** The metrics of Node.js, and those of the operator's page with their labels. A test compares the page with a server. */
async function knownMetrics(): Promise<ReadonlySet<string>> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const ofNode = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  const page = readFileSync('src/docs/operate/monitor.md', 'utf8');
  const rows = [...page.matchAll(/^\| `((?:paygraph|http|db)_\w+)`\s*\| (\w+)\s*\|([^|]*)\|/gm)];
  const ours = rows.flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => `${name}${end}`) : [name],
  );
  const labels = rows.flatMap(([, , , cell = '']) => cell.match(/\w+/g) ?? []);
  return new Set([...ofNode, ...ours, ...labels]);
}

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:paygraph|nodejs|process|http|db)_\w+/g)].map(([name]) => name);

describe('the board and the alerts', () => {
  it('name only metrics that are served', async () => {
    const known = await knownMetrics();
    const rules = readFileSync(RULES, 'utf8');
    const named = [...expressions(), rules].flatMap(namesIn);

    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('have a description for each panel', () => {
    expect(panels().length).toBeGreaterThan(20);
    expect(
      panels()
        .filter((panel) => !('description' in panel))
        .map(({ title }) => title),
    ).toEqual([]);
  });
});

describe('an alert', () => {
  it('has a section of its own in the runbooks, with all parts', () => {
    const page = readFileSync(RUNBOOKS, 'utf8');
    const sections = page.split(/^## /m).slice(1);
    const parts = ['Symptom', 'Money', 'Check', 'Do', 'Call'];

    expect(sections.map((section) => section.split('\n')[0])).toEqual(alerts().map(({ name }) => name));
    expect(alerts().map(({ runbook }) => runbook)).toEqual(
      alerts().map(({ name }) => `${RUNBOOKS}#${name.toLowerCase()}`),
    );
    for (const section of sections)
      expect([...section.matchAll(/^- \*\*(\w+)\*\*:/gm)].map(([, part]) => part)).toEqual(parts);
  });
});
