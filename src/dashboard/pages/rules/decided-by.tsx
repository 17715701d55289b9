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

/** Names the rule that decided about a payment, and leads to it. */
export function DecidedBy({ decision }: DecidedByProps) {
  if (!decision) return null;
  const { version, rule, ruleName, share } = decision;
  if (rule === null || ruleName === null)
    return <p className="card-note">{words.none(versionName(version))}</p>;
  return (
    <p className="card-note">
      {words.by}{' '}
      <Link to={`${addressOf(version)}&rule=${rule}`}>
        {words.rule(rule, ruleName, versionName(version))}
      </Link>
      {share !== null && ` · ${words.share(share)}`}
    </p>
  );
}
