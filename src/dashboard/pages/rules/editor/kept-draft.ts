import type { Rule } from '../rule.ts';

/** A draft as the browser keeps it. */
export type KeptDraft = {
  /** Counts the changes of all tabs. */
  readonly counter: number;
  /** The number of the version with which the draft began. Null if the draft began without rules. */
  readonly base: number | null;
  readonly rules: readonly Rule[];
};

/** A draft with the tab that wrote it. */
type Written = KeptDraft & { readonly tab: string };

/** Tells the drafts of this tab from those of others, also if two tabs count alike. */
const TAB = String(Math.random());

/** Returns a mark that each change of a draft renews. Null without a draft. */
export const markOf = (written: Written | null): string | null =>
  written && `${written.counter} ${written.tab}`;

/**
 * Keeps a draft, or forgets it. Returns the mark of the draft in the browser. A browser without room keeps none, and the page has the
 * draft until it closes.
 */
export function writeDraft(key: string, draft: KeptDraft | null): string | null {
  const written = draft && { ...draft, tab: TAB };
  try {
    if (written === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(written));
    return markOf(written);
  } catch {
    localStorage.removeItem(key);
    return null;
  }
}

/** Tells whether this tab wrote a draft. */
export const isMine = ({ tab }: Written): boolean => tab === TAB;

/** Reads the kept draft. Passes over what is none, such as a draft of another version of the dashboard. */
export function readDraft(key: string): Written | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isWritten(kept) ? kept : null;
  } catch {
    return null;
  }
}

const isWritten = (kept: unknown): kept is Written =>
  typeof kept === 'object' &&
  kept !== null &&
  'counter' in kept &&
  typeof kept.counter === 'number' &&
  'tab' in kept &&
  typeof kept.tab === 'string' &&
  'base' in kept &&
  (kept.base === null || typeof kept.base === 'number') &&
  'rules' in kept &&
  Array.isArray(kept.rules) &&
  kept.rules.every(isRule);

const isRule = (kept: unknown): kept is Rule =>
  typeof kept === 'object' &&
  kept !== null &&
  'name' in kept &&
  typeof kept.name === 'string' &&
  'action' in kept &&
  typeof kept.action === 'object';
