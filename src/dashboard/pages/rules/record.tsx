import type { ComponentProps } from 'react';
import { useList, type Pages } from '../../app/data/pages.ts';
import { useRead } from '../../app/data/read.ts';
import { isAboutRecord, useRecord } from '../../app/data/refresh.ts';
import { Link, useRoute } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { More } from '../../design/list/more.tsx';
import { Problem } from '../../design/problem.tsx';
import { Card, CardList } from '../../design/record/card.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { addressOf, State, useActivity } from './activity.tsx';
import { Compared } from './differences.tsx';
import { useDraft, type Draft } from './editor/draft.ts';
import { DraftCard } from './editor/draft-card.tsx';
import {
  readOwn,
  readRuleSet,
  readVersion,
  readVersions,
  type Activity,
  type Version,
  type VersionLine,
} from './query.ts';
import { RuleText } from './rule-card.tsx';
import { Simulations } from './simulation/list.tsx';
import { ShownSimulation } from './simulation/simulation.tsx';
import { VersionCard } from './version.tsx';
import { namesOf, versionName, type Names } from './words.ts';

const { routingRules: words } = texts;

/** The page of a rule set: a draft or a version in words, its differences, and the versions. */
export function RoutingRuleSet({ id }: { readonly id: string }) {
  const read = useRecord(id, (signal) => readPage(id, signal), { concerns: isAboutRecord(id) });
  const versions = useList(id, (ask) => readVersions(id, ask), isAboutRecord(id));
  const activity = useActivity();
  const draft = useDraft(id);
  const named = useRoute().search.get('version');
  const drafted = useMay('routing-rules.write') && named === null ? draft.rules : null;
  const ids = versions.data?.rows.map((each) => each.id) ?? [];
  const active = activity.data?.active?.version ?? null;
  // The latest version stands in for an active one, so both must be known.
  const isKnown = activity.data !== null || activity.error !== null;
  const latestId = isKnown ? (ids[0] ?? null) : null;
  const shownId = named ?? (active?.ruleSet.id === id ? active.id : latestId);
  const activeId = active?.id ?? null;
  const shown = useVersion(drafted ? null : shownId);
  const base = useVersion(drafted ? (activeId ?? latestId) : baseOf({ shownId, activeId, ids }));
  const rules = drafted ?? shown.data?.rules ?? null;
  return (
    <RecordPage
      read={read}
      list="routing"
      words={{ ...words, back: words.title }}
      title={({ ruleSet }) => ruleSet.name}
      head={({ ruleSet }) => ({
        title: ruleSet.name,
        sentence: words.sets.versions(ruleSet.latestVersion),
      })}
      main={({ ruleSet, own }) =>
        drafted ? (
          <DraftCard {...{ ruleSet, draft, own }} rules={drafted} names={namesOf(own, base.data)} />
        ) : (
          <Shown
            {...{ own, activity, draft }}
            read={shown}
            isNone={shownId === null && isKnown && versions.data !== null}
            isWaiting={shownId === null}
            ruleSetId={id}
          />
        )
      }
      side={({ own }) => {
        const names = namesOf(own, shown.data, base.data);
        return (
          <>
            {rules && <Compared {...{ base, rules, names }} />}
            <Versions
              list={versions}
              activity={activity.data}
              draft={draft}
              shown={drafted ? null : shownId}
              ruleSetId={id}
            />
            <Simulations ruleSetId={id} />
            {drafted && base.data && <Beside version={base.data} names={names} />}
          </>
        );
      }}
    />
  );
}

/** A version, with the simulation that the address names. */
const Shown = (props: ComponentProps<typeof VersionCard>) => (
  <>
    <ShownSimulation names={namesOf(props.own)} />
    <VersionCard {...props} />
  </>
);

async function readPage(id: string, signal: AbortSignal) {
  const [ruleSet, own] = await Promise.all([readRuleSet(id, signal), readOwn(signal)]);
  return ruleSet && { ruleSet, own };
}

/** Reads a version, which never changes. */
const useVersion = (id: string | null) =>
  useRead(id ?? '', async (signal) => (id === null ? null : readVersion(id, signal)), { forget: true });

type Shown = {
  readonly shownId: string | null;
  readonly activeId: string | null;
  /** The versions of the rule set, newest first. */
  readonly ids: readonly string[];
};

/** Chooses the version to compare with: the active one, or else the one before. */
function baseOf({ shownId, activeId, ids }: Shown): string | null {
  if (shownId === null || (activeId !== null && activeId !== shownId)) return activeId;
  const at = ids.indexOf(shownId);
  return at < 0 ? null : (ids[at + 1] ?? null);
}

type VersionsProps = {
  readonly ruleSetId: string;
  readonly list: Pages<VersionLine>;
  /** The id of the version that the page shows. Null: the page shows the draft. */
  readonly shown: string | null;
  readonly activity: Activity | null;
  readonly draft: Draft;
};

/** The versions of a rule set, newest first, and the draft before them. */
const Versions = ({ ruleSetId, list, shown, activity, draft }: VersionsProps) => (
  <CardList
    look="routing-rows"
    title={words.versions.title}
    aside={draft.rules && shown !== null && <Link to={`routing/${ruleSetId}`}>{words.draft.title}</Link>}
    note={list.error !== null && <Problem error={list.error} onRetry={list.reload} />}
    rows={list.data?.rows ?? []}
    empty={list.data && words.versions.none}
    foot={<More list={list} />}
  >
    {({ id, number, note, createdAt }) => (
      <>
        <span className="name">
          <Link
            to={addressOf({ id, ruleSet: { id: ruleSetId } })}
            {...(id === shown && { 'aria-current': 'page' as const })}
          >
            {words.numbered(number)}
          </Link>
          {note !== null && <span className="quiet"> {note}</span>}
        </span>
        {activity?.active?.version?.id === id && <State of="ACTIVE" />}
        <span className="quiet">
          <Moment at={createdAt} />
        </span>
      </>
    )}
  </CardList>
);

/** The rules that a draft is compared with, beside the draft. */
const Beside = ({ version, names }: { readonly version: Version; readonly names: Names }) => (
  <Card title={versionName(version)}>
    <ol className="events rule-differences">
      {version.rules.map((rule, at) => (
        <li key={rule.name}>
          <h3>{words.ranked(at + 1, rule.name)}</h3>
          <RuleText rule={rule} names={names} />
        </li>
      ))}
    </ol>
  </Card>
);
