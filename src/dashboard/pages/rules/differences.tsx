import type { Read } from '../../app/data/read.ts';
import { CardBones, Pill, type Tone } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Card } from '../../design/record/card.tsx';
import { texts } from '../../texts/texts.ts';
import { differencesOf, type ChangedRule, type Difference } from './difference.ts';
import type { Version } from './query.ts';
import { RuleText } from './rule-card.tsx';
import type { Rule } from './rule.ts';
import { actionTexts, conditionText, versionName, type Names } from './words.ts';

const { difference: words, action } = texts.routingRules;

type ComparedProps = {
  /** The version to compare with. It may belong to another rule set. */
  readonly base: Read<Version | null>;
  readonly rules: readonly Rule[];
  readonly names: Names;
};

/** A card with the differences of rules to those of another version. */
export const Compared = ({ base: { data, error, isLoading, reload }, rules, names }: ComparedProps) => (
  <Card title={data ? words.title(versionName(data)) : words.titleOfNone}>
    {error !== null && <Problem error={error} onRetry={reload} />}
    {!data && isLoading && <CardBones isInside widths={[240, 200]} />}
    {!data && !isLoading && error === null && <p className="card-note">{words.toPositions}</p>}
    {data && <Differences before={data.rules} after={rules} names={names} />}
  </Card>
);

type DifferencesProps = {
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
  readonly names: Names;
};

/** The differences of two versions in words. */
function Differences({ before, after, names }: DifferencesProps) {
  const differences = differencesOf(before, after);
  if (differences.length === 0) return <p className="card-note">{words.same}</p>;
  return (
    <ul className="events rule-differences">
      {differences.map((difference) => (
        <li key={`${difference.kind} ${difference.rule.name}`}>
          <p>
            <strong>{difference.rule.name}</strong>{' '}
            <Pill tone={TONES[difference.kind]}>{headOf(difference)}</Pill>
          </p>
          {difference.kind === 'added' && <RuleText rule={difference.rule} names={names} />}
          {difference.kind === 'changed' &&
            changeTexts(difference, names).map((text) => <p key={text}>{text}</p>)}
        </li>
      ))}
    </ul>
  );
}

const TONES: Readonly<Record<Difference['kind'], Tone>> = {
  ...{ added: 'good', removed: 'bad', moved: 'calm', changed: 'info' },
};

function headOf(difference: Difference): string {
  switch (difference.kind) {
    case 'added':
    case 'removed':
      return words[difference.kind](difference.rank);
    case 'moved':
      return words.moved(difference.from, difference.to);
    case 'changed':
      return words.changed;
  }
}

/** Says each change of a rule in a sentence. */
function changeTexts(change: ChangedRule, names: Names): readonly string[] {
  const { conditionsAdded, conditionsRemoved, threeDSecure } = change;
  const wishOf = (wish: Rule['threeDSecure']): string => (wish ? action[wish] : words.noWish);
  return [
    ...conditionsRemoved.map((each) => words.conditionRemoved(conditionText(each, names))),
    ...conditionsAdded.map((each) => words.conditionAdded(conditionText(each, names))),
    ...(change.action
      ? [
          words.before(actionTexts(change.action.before, names).join(' ')),
          words.after(actionTexts(change.action.after, names).join(' ')),
        ]
      : []),
    ...(threeDSecure
      ? [words.before(wishOf(threeDSecure.before)), words.after(wishOf(threeDSecure.after))]
      : []),
  ];
}
