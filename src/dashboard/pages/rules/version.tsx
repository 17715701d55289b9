import { useEffect, useState } from 'react';
import type { Read } from '../../app/data/read.ts';
import { go, useRoute } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { CardBones, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { ActivateDialog } from './activate-dialog.tsx';
import { State } from './activity.tsx';
import type { Draft } from './editor/draft.ts';
import type { Activity, Own, Version } from './query.ts';
import { RuleCard } from './rule-card.tsx';
import type { Rule } from './rule.ts';
import { StartDialog } from './simulation/start-dialog.tsx';
import { namesOf, type Names } from './words.ts';

const { routingRules: words } = texts;

type VersionCardProps = {
  readonly read: Read<Version | null>;
  /** True for a rule set without versions. */
  readonly isNone: boolean;
  /** True while it is not known which version to show. */
  readonly isWaiting: boolean;
  readonly ruleSetId: string;
  readonly own: Own;
  readonly activity: Read<Activity>;
  readonly draft: Draft;
};

/** A version with its rules in words. */
export function VersionCard({ read, isNone, isWaiting, ruleSetId, ...rest }: VersionCardProps) {
  const { own, activity, draft } = rest;
  const { data: version, error, isLoading, reload } = read;
  const start = useDraftButton(ruleSetId, draft);
  if (isNone)
    return <Empty icon="route" title={words.versions.none} actions={start(words.draft.start, [], null)} />;
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (!version)
    return isLoading || isWaiting ? (
      <CardBones />
    ) : (
      <Empty icon="search" title={words.missing}>
        {words.missingText}
      </Empty>
    );
  if (version.ruleSet.id !== ruleSetId) return <Empty icon="search" title={words.missing} />;
  return (
    <section aria-label={words.numbered(version.number)}>
      <header className="version-head">
        <h2>
          {words.numbered(version.number)}
          {activity.data?.active?.version?.id === version.id && <State of="ACTIVE" />}
        </h2>
        <div className="actions">
          {start(words.draft.open, version.rules, version.number)}
          <Simulate version={version} />
          <Activate version={version} activity={activity} />
        </div>
      </header>
      {version.note !== null && <p className="page-note">{version.note}</p>}
      <Rules version={version} names={namesOf(own, version)} />
    </section>
  );
}

/** Returns the button that begins a draft for those who may. An unfinished draft stays, so there is no button beside it. */
function useDraftButton(ruleSetId: string, draft: Draft) {
  const mayDraft = useMay('routing-rules.write');
  return (label: string, rules: readonly Rule[], base: number | null) =>
    mayDraft &&
    draft.rules === null && (
      <Button
        icon="pencil"
        onPress={() => {
          draft.begin(rules, base);
          go(`routing/${ruleSetId}`);
        }}
      >
        {label}
      </Button>
    );
}

/** The button that plays past payments through a version, for those who may. */
function Simulate({ version }: { readonly version: Version }) {
  const [isOpen, setOpen] = useState(false);
  if (!useMay('routing-rules.write')) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>{texts.routingSimulations.start}</Button>
      {isOpen && <StartDialog version={version} onClose={() => setOpen(false)} />}
    </>
  );
}

type ActsProps = { readonly version: Version; readonly activity: Read<Activity> };

/** The button that makes a version decide, for those who may. */
function Activate({ version, activity: { data, reload } }: ActsProps) {
  const [isOpen, setOpen] = useState(false);
  const mayActivate = useMay('routing-activations.write');
  if (!data || !mayActivate || data.active?.version?.id === version.id) return null;
  return (
    <>
      <Button look="primary" icon="play" onPress={() => setOpen(true)}>
        {words.activate.open}
      </Button>
      {isOpen && (
        <ActivateDialog version={version} activity={data} onClose={() => setOpen(false)} onChanged={reload} />
      )}
    </>
  );
}

/** The rules of a version. The address may name one of them. */
function Rules({ version: { id, rules }, names }: { readonly version: Version; readonly names: Names }) {
  const named = Number(useRoute().search.get('rule'));
  useEffect(() => {
    document.getElementById(cardOf(named))?.scrollIntoView({ block: 'center' });
  }, [id, named]);
  return (
    <ol className="rule-cards" aria-label={words.rules}>
      {rules.map((rule, at) => (
        <RuleCard
          key={rule.name}
          id={cardOf(at + 1)}
          rank={at + 1}
          isNamed={at + 1 === named}
          {...{ rule, names }}
        />
      ))}
    </ol>
  );
}

const cardOf = (rank: number): string => `rule-${rank}`;
