import { useRead } from '../../../app/data/read.ts';
import { isNew, useRefresh } from '../../../app/data/refresh.ts';
import { useRoute } from '../../../app/route.tsx';
import { useMay } from '../../../app/session-context.tsx';
import { ActButton } from '../../../design/form/act-button.tsx';
import { CardBones, pillOf } from '../../../design/pieces.tsx';
import { Problem } from '../../../design/problem.tsx';
import { Card } from '../../../design/record/card.tsx';
import { Moment } from '../../../design/value.tsx';
import { texts } from '../../../texts/texts.ts';
import type { Names } from '../words.ts';
import { cancelSimulation, isUnderWay, readSimulation, type Simulation } from './query.ts';
import { Outcome } from './result.tsx';

const { routingSimulations: words } = texts;

/** The state of a simulation. */
export const SimulationState = pillOf(words.status, {
  ...{ PENDING: 'wait', RUNNING: 'wait', SUCCEEDED: 'good', CANCELED: 'calm', FAILED: 'bad' },
});

/** The simulation that the address names. Nothing without one. */
export function ShownSimulation({ names }: Pick<SimulationCardProps, 'names'>) {
  const id = useRoute().search.get('simulation');
  return id === null ? null : <SimulationCard id={id} names={names} />;
}

type SimulationCardProps = { readonly id: string; readonly names: Names };

/** A simulation: its progress while the worker reads payments, then its answer. */
function SimulationCard({ id, names }: SimulationCardProps) {
  const readable = { fees: useMay('settlements.read'), differing: useMay('transactions.read') };
  const read = useRead(id, (signal) => readSimulation(id, readable, signal), { forget: true });
  const { data, error, isLoading, reload } = read;
  // No event tells the progress.
  useRefresh(reload, isNew, { isMoving: data !== null && isUnderWay(data) });
  if (error !== null) return <Problem error={error} onRetry={reload} />;
  if (!data) return isLoading ? <CardBones /> : <p className="page-note">{words.missing}</p>;
  return (
    <Card
      title={words.title}
      label={words.title}
      look="simulation"
      aside={<SimulationState of={data.status} />}
    >
      <p className="card-note">
        {words.of(data.sample)} <Moment at={data.from} /> – <Moment at={data.to} />
      </p>
      {isUnderWay(data) && <UnderWay simulation={data} onChanged={reload} />}
      {data.status === 'FAILED' && <p className="card-note">{words.failed}</p>}
      {data.result && <Outcome result={data.result} version={data.version} names={names} />}
    </Card>
  );
}

type UnderWayProps = { readonly simulation: Simulation; readonly onChanged: () => void };

function UnderWay({ simulation: { id, progress, scanned }, onChanged }: UnderWayProps) {
  const mayCancel = useMay('routing-rules.write');
  return (
    <div className="simulation-progress">
      <progress aria-label={words.progress} max={1} value={progress} />
      <span className="quiet">{words.scanned(scanned)}</span>
      {mayCancel && (
        <ActButton run={() => cancelSimulation(id)} said={words.canceled} onDone={onChanged}>
          {words.cancel}
        </ActButton>
      )}
    </div>
  );
}
