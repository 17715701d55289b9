import { Link } from '../../app/route.tsx';
import { texts } from '../../texts/texts.ts';
import { addressOf } from './activity.tsx';
import type { Decision } from './query.ts';
import { versionName } from './words.ts';

const { decided: words } = texts.routingRules;

type DecidedByProps = {
  /** Null for a payment without rules. Undefined without the scope to read rules. */
  readonly decision: Decision | null | undefined;
};

/** Names the rules that decided about a payment, one for each attempt, and leads to them. */
export function DecidedBy({ decision }: DecidedByProps) {
  if (!decision) return null;
  const { version, retries } = decision;
  return (
    <>
      <Ruled ruling={decision} version={version} lead={words.by} without={words.none(versionName(version))} />
      {retries.map((ruling) => (
        <Ruled
          key={ruling.attempt}
          {...{ ruling, version }}
          lead={words.retry(ruling.attempt)}
          without={words.noneForRetry(ruling.attempt)}
        />
      ))}
    </>
  );
}

type RuledProps = Pick<Decision, 'version'> & {
  readonly ruling: Pick<Decision, 'rule' | 'ruleName' | 'share'>;
  /** Stands before the rule. */
  readonly lead: string;
  /** The sentence if no rule held. */
  readonly without: string;
};

function Ruled({ ruling: { rule, ruleName, share }, version, lead, without }: RuledProps) {
  if (rule === null || ruleName === null) return <p className="card-note">{without}</p>;
  return (
    <p className="card-note">
      {lead}{' '}
      <Link to={`${addressOf(version)}&rule=${rule}`}>
        {words.rule(rule, ruleName, versionName(version))}
      </Link>
      {share !== null && ` · ${words.share(share)}`}
    </p>
  );
}
