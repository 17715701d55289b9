import { useEffect, useState } from 'react';
import type { Rule } from '../rule.ts';
import { isMine, markOf, readDraft, writeDraft, type KeptDraft } from './kept-draft.ts';

/** The rules of a version that is not made yet. The browser keeps them for all its tabs. */
export type Draft = {
  /** Null without a draft. */
  readonly rules: readonly Rule[] | null;
  /** The number of the version with which the draft began. Null if the draft began without rules. */
  readonly base: number | null;
  /** The draft that another tab wrote meanwhile. Its rules are null if the other tab ended the draft. Null without such a change. */
  readonly other: { readonly rules: readonly Rule[] | null } | null;
  /** Begins a draft with the rules of a version. */
  readonly begin: (rules: readonly Rule[], base: number | null) => void;
  /** Replaces the rules. Never overwrites the draft of another tab: the rules then stay in this tab. */
  readonly change: (rules: readonly Rule[]) => void;
  /** Ends the draft of this tab. The draft of another tab stays. */
  readonly discard: () => void;
  /** Takes the draft of the other tab, or its end. */
  readonly takeOther: () => void;
  /** Replaces the draft of the other tab by the draft of this tab. */
  readonly keepMine: () => void;
};

type State = {
  readonly key: string;
  readonly mine: KeptDraft | null;
  /** The mark of the draft in the browser, as this tab knows it. */
  readonly seen: string | null;
  /** True if the browser has another draft than this tab knows. */
  readonly isOverwritten: boolean;
};

/** Keeps the draft of a rule set in this browser, so that a reload does not lose it. Tabs do not overwrite each other's drafts. */
export function useDraft(ruleSetId: string): Draft {
  const key = `paygraph.routing-draft.${ruleSetId}`;
  const [state, setState] = useState(() => opened(key));
  // The page of another rule set may follow without a new start.
  const current = state.key === key ? state : opened(key);
  useEffect(() => {
    const look = (): void => setState((before) => lookedAt(before.key === key ? before : opened(key)));
    addEventListener('storage', look);
    return () => removeEventListener('storage', look);
  }, [key]);
  const put = (mine: KeptDraft): void => setState(changed(lookedAt(current), mine));
  const { mine, isOverwritten } = current;
  return {
    ...{ rules: mine?.rules ?? null, base: mine?.base ?? null },
    other: isOverwritten ? { rules: readDraft(key)?.rules ?? null } : null,
    begin: (rules, base) => put({ counter: 0, rules, base }),
    change: (rules) => put({ counter: 0, base: null, ...mine, rules }),
    discard: () => setState(ended(lookedAt(current))),
    takeOther: () => setState(opened(key)),
    keepMine: () => mine && setState(stored(current, mine)),
  };
}

/** Returns the state of a tab that takes the draft of the browser. */
function opened(key: string): State {
  const mine = readDraft(key);
  return { key, mine, seen: markOf(mine), isOverwritten: false };
}

/** Compares the draft of the browser with the one that this tab knows. A tab without a draft takes the other one. */
function lookedAt(state: State): State {
  const found = readDraft(state.key);
  if (markOf(found) === state.seen || (found && isMine(found))) return { ...state, isOverwritten: false };
  return state.mine === null ? opened(state.key) : { ...state, isOverwritten: true };
}

const changed = (state: State, mine: KeptDraft): State =>
  state.isOverwritten ? { ...state, mine } : stored(state, mine);

function stored({ key }: State, mine: KeptDraft): State {
  const counter = Math.max(mine.counter, readDraft(key)?.counter ?? 0) + 1;
  const next = { ...mine, counter };
  return { key, mine: next, seen: writeDraft(key, next), isOverwritten: false };
}

function ended(state: State): State {
  if (state.isOverwritten) return opened(state.key);
  writeDraft(state.key, null);
  return { ...state, mine: null, seen: null };
}
