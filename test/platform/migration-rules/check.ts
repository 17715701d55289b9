import type { Node } from 'libpg-query';
import { createNotes } from './notes.ts';
import { parseMigration, hasNode } from './parse-migration.ts';
import { RULES, type RuleName } from './rules.ts';
import { rulesOf, type Given, type State } from './statement-rules.ts';

/** A statement of a migration that breaks a rule. */
export type Finding = {
  readonly migration: string;
  readonly line: number;
  readonly text: string;
  readonly rule: RuleName;
};

type Script = { readonly name: string; readonly script: string };

/** Lists the statements that break a rule, in the order of the migrations. A migration comes with all those before it. */
export async function findingsOf(scripts: readonly Script[], given: Given): Promise<readonly Finding[]> {
  const notes = createNotes();
  const findings: Finding[] = [];
  for (const { name, script } of scripts) {
    const statements = await parseMigration(script).catch((error: unknown) => {
      throw new Error(`${pathOf(name)} is no SQL that Postgres reads: ${String(error)}`);
    });
    const state: State = {
      ...given,
      ...notes,
      ...{ made: new Set(), ownKeys: new Set(), bare: new Set(), hasLocked: false },
    };
    for (const { node, line, text } of statements) {
      const isBeside = statements.length > 1 && isConcurrent(node);
      const rules = new Set<RuleName>([...(isBeside ? (['alone'] as const) : []), ...rulesOf(node, state)]);
      findings.push(...[...rules].map((rule) => ({ migration: name, line, text, rule })));
    }
  }
  return findings;
}

const pathOf = (migration: string): string => `prisma/migrations/${migration}/migration.sql`;

const TEXT_MAX = 140;

/** Returns the lines that tell a contributor about a finding. */
export function tell({ migration, line, text, rule }: Finding): string {
  const whole = text.replaceAll(/\s+/g, ' ');
  const shown = whole.length > TEXT_MAX ? `${whole.slice(0, TEXT_MAX)}…` : whole;
  const { fault, instead } = RULES[rule];
  return `${pathOf(migration)}:${line}: ${fault}\n  ${shown}\n  Instead: ${instead}`;
}

const isConcurrent = (node: Node): boolean =>
  hasNode(
    node,
    (key, { concurrent, defname }) =>
      concurrent === true || (key === 'DefElem' && defname === 'concurrently'),
  );
