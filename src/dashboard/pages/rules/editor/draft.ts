import { useState } from 'react';
import type { Rule } from '../rule.ts';

/** The rules of a version that is not made yet. The browser keeps them. */
export type Draft = {
  /** Null without a draft. */
  readonly rules: readonly Rule[] | null;
  /** Replaces the rules, and begins a draft if there is none. */
  readonly change: (rules: readonly Rule[]) => void;
  readonly discard: () => void;
};

/** Keeps the draft of a rule set in this browser, so that a reload does not lose it. */
export function useDraft(ruleSetId: string): Draft {
  const key = `paygraph.routing-draft.${ruleSetId}`;
  const [kept, keep] = useState(() => ({ key, rules: read(key) }));
  const change = (rules: readonly Rule[] | null): void => {
    write(key, rules);
    keep({ key, rules });
  };
  return {
    // The page of another rule set may follow without a new start.
    rules: kept.key === key ? kept.rules : read(key),
    change,
    discard: () => change(null),
  };
}

/** Keeps a draft, or forgets it. A browser without room keeps none, and the page has the draft until it closes. */
function write(key: string, rules: readonly Rule[] | null): void {
  try {
    if (rules === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(rules));
  } catch {
    localStorage.removeItem(key);
  }
}

/** Reads a kept draft. Passes over what is none, such as a draft of another version of the dashboard. */
function read(key: string): readonly Rule[] | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return Array.isArray(kept) && kept.every(isRule) ? kept : null;
  } catch {
    return null;
  }
}

const isRule = (kept: unknown): kept is Rule =>
  typeof kept === 'object' &&
  kept !== null &&
  'name' in kept &&
  typeof kept.name === 'string' &&
  'action' in kept &&
  typeof kept.action === 'object';
