import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.ts';
import type { Rule } from './rule.ts';
import { actionTexts, writeCondition, type Names } from './words.ts';

const { routingRules: words } = texts;

type RuleTextProps = { readonly rule: Rule; readonly names: Names };

/** The conditions and the action of a rule in words. */
export function RuleText({ rule, names }: RuleTextProps) {
  const { conditions = [], action, threeDSecure } = rule;
  return (
    <>
      <p className="conditions">
        {conditions.length === 0 && words.always}
        {conditions.map((condition, at) => {
          const { label, value } = writeCondition(condition, names);
          return (
            <span key={at}>
              <span className="quiet">{label}</span> {value}
            </span>
          );
        })}
      </p>
      <p className="rule-action">
        {actionTexts(action, names).map((sentence) => (
          <span key={sentence}>{sentence}</span>
        ))}
        {threeDSecure && <span>{words.action[threeDSecure]}</span>}
      </p>
    </>
  );
}

type RuleCardProps = RuleTextProps & {
  readonly id?: string;
  /** The position, 1 for the first. */
  readonly rank: number;
  /** True for the rule that the address names. */
  readonly isNamed?: boolean;
  readonly isDragged?: boolean;
  /** Stands before the rank. */
  readonly handle?: ReactNode;
  /** Stands at the end of the name's line. */
  readonly acts?: ReactNode;
  /** Stands below the action. */
  readonly children?: ReactNode;
};

/** A rule as a card of a list. */
export const RuleCard = ({ id, rule, names, rank, handle, acts, children, ...state }: RuleCardProps) => (
  <li
    id={id}
    className="card routing-rule"
    data-named={state.isNamed ?? false}
    data-dragged={state.isDragged ?? false}
    {...(state.isNamed && { 'aria-current': 'true' as const })}
  >
    <span className="place">
      {handle}
      <span className="rank">{rank}</span>
    </span>
    <h3>{rule.name}</h3>
    {acts && <span className="rule-acts">{acts}</span>}
    <div className="rule-text">
      <RuleText rule={rule} names={names} />
      {children}
    </div>
  </li>
);
