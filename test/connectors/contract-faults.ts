import type { UnknownCause } from '../../src/connectors/interface/outcome.ts';
import type { Fault } from './contract-provider.ts';
import type { DoubleFault } from './double-faults.ts';

/** The faults after which an outcome is unknown, with the cause. */
export const UNKNOWN_AFTER: readonly (readonly [Fault, UnknownCause])[] = [
  ['lose_request', 'connection'],
  ['lose_answer', 'connection'],
  ['error_before_work', 'server_error'],
  ['error_after_work', 'server_error'],
  ['maintenance', 'server_error'],
  ['truncated', 'unreadable'],
  ['unknown_word', 'unreadable'],
  ['other_amount', 'unreadable'],
  ['other_currency', 'unreadable'],
  ['nonsense', 'unreadable'],
  ['other_money', 'unreadable'],
  ['not_found', 'unreadable'],
];

/** The faults before the work that a provider states explicitly. An outcome may then be known. */
export const STATED: readonly Fault[] = [
  'rate_limited',
  'rate_limited_with_hint',
  'unauthorized',
  'forbidden',
];

/** The faults of a double that the suites make. */
export const DOUBLE_FAULTS = [
  ...([
    'lose_request',
    'lose_answer',
    'hang',
    'error_before_work',
    'error_after_work',
    'maintenance',
  ] as const),
  ...(['truncated', 'unknown_word', 'other_amount', 'other_currency'] as const),
  ...(['rate_limited', 'rate_limited_with_hint', 'unauthorized', 'forbidden'] as const),
] satisfies readonly DoubleFault[];

/** Leaves out the faults that a double cannot make. */
export const doubleFaults = (faults: readonly Fault[]): readonly (typeof DOUBLE_FAULTS)[number][] =>
  faults.flatMap((fault) => DOUBLE_FAULTS.filter((own) => own === fault));
