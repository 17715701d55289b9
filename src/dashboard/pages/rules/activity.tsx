import { useState } from 'react';
import { useRead, type Read } from '../../app/data/read.ts';
import { isAbout, useRefresh } from '../../app/data/refresh.ts';
import { Link } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { ActButton } from '../../design/form/act-button.tsx';
import { pillOf } from '../../design/pieces.tsx';
import { Card, CardList } from '../../design/record/card.tsx';
import { FactList } from '../../design/record/facts.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { ActivateDialog } from './activate-dialog.tsx';
import { formerOf, plannedOf, statesOf } from './activations.ts';
import { Planned } from './planned.tsx';
import { activate, readActivity, type Activation, type Activity, type VersionName } from './query.ts';
import { versionName } from './words.ts';

const { routingRules: words } = texts;

/** The state of an activation. */
export const State = pillOf(words.state, {
  ...{ ACTIVE: 'good', PLANNED: 'wait', PAST: 'calm', REPLACED: 'calm', CANCELED: 'calm' },
});

/** Leads to the page of a version. Without a version, says that there are no rules. */
export const VersionLink = ({ version }: { readonly version: VersionName | null }) =>
  version ? <Link to={addressOf(version)}>{versionName(version)}</Link> : <span>{words.positions}</span>;

/** The address of a version's page. */
export const addressOf = ({ id, ruleSet }: Address): string => `routing/${ruleSet.id}?version=${id}`;

type Address = { readonly id: string; readonly ruleSet: { readonly id: string } };

/** Follows the activations. The beginning of a planned one causes no event. */
export function useActivity(): Read<Activity> {
  const read = useRead('routing-activity', readActivity);
  useRefresh(read.reload, isAbout('routing-activation'), {
    isMoving: read.data !== null && hasPlans(read.data),
    everyMs: 10_000,
  });
  return read;
}

const hasPlans = ({ activations, active }: Activity): boolean => plannedOf(activations, active).length > 0;

type ActivityProps = { readonly activity: Activity; readonly onChanged: () => void };

/** The version that decides now, with the ways to end it. */
export function Now({ activity, onChanged }: ActivityProps) {
  const { active } = activity;
  const mayActivate = useMay('routing-activations.write');
  return (
    <Card
      title={words.now.title}
      label={words.now.title}
      aside={mayActivate && active && <Acts {...{ activity, active, onChanged }} />}
    >
      {active?.version ? (
        <FactList
          facts={[
            [words.now.version, <VersionLink version={active.version} />],
            [words.now.since, <Moment at={active.activeFrom} />],
            [words.now.note, active.note],
          ]}
        />
      ) : (
        <p className="card-note">{words.positionsText}</p>
      )}
      <Planned {...{ activity, onChanged }} />
    </Card>
  );
}

function Acts({ activity, active, onChanged }: ActivityProps & { readonly active: Activation }) {
  const [isStopping, setStopping] = useState(false);
  const former = formerOf(activity.activations, active, activity.isWhole);
  return (
    <div className="actions">
      {former !== undefined && (
        <ActButton
          icon="back"
          run={(key) => activate(former ? { versionId: former.id } : {}, key)}
          said={words.rollback.said}
          onDone={onChanged}
        >
          {former ? words.rollback.open(versionName(former)) : words.rollback.none}
        </ActButton>
      )}
      {active.version && former !== null && (
        <Button look="danger" onPress={() => setStopping(true)}>
          {words.activate.stop}
        </Button>
      )}
      {isStopping && (
        <ActivateDialog
          version={null}
          activity={activity}
          onClose={() => setStopping(false)}
          onChanged={onChanged}
        />
      )}
    </div>
  );
}

/** The activations, newest first, planned ones included. */
export function Activations({ activity: { active, activations } }: Pick<ActivityProps, 'activity'>) {
  const states = statesOf(activations, active);
  return (
    <CardList
      look="routing-rows"
      title={words.activations.title}
      rows={activations}
      empty={words.activations.none}
    >
      {({ id, version, activeFrom, note }) => (
        <>
          <span className="name">
            <VersionLink version={version} />
            {note !== null && <span className="quiet"> {note}</span>}
          </span>
          <span className="quiet">
            <Moment at={activeFrom} />
          </span>
          <State of={states.get(id) ?? 'PAST'} />
        </>
      )}
    </CardList>
  );
}
