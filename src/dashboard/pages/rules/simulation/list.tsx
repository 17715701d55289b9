import { useRead } from '../../../app/data/read.ts';
import { isNew, useRefresh } from '../../../app/data/refresh.ts';
import { Link, useRoute } from '../../../app/route.tsx';
import { ReadList } from '../../../design/record/card.tsx';
import { Moment } from '../../../design/value.tsx';
import { texts } from '../../../texts/texts.ts';
import { addressOf } from '../activity.tsx';
import { isUnderWay, readSimulations, type SimulationLine } from './query.ts';
import { SimulationState } from './simulation.tsx';

/** The latest simulations of a rule set, newest first. */
export function Simulations({ ruleSetId }: { readonly ruleSetId: string }) {
  const shown = useRoute().search.get('simulation');
  const read = useRead(`${ruleSetId} ${shown}`, (signal) => readSimulations(ruleSetId, signal));
  useRefresh(read.reload, isNew, { isMoving: read.data?.some(isUnderWay) ?? false });
  if (read.data?.length === 0) return null;
  return (
    <ReadList<SimulationLine> look="routing-rows" title={texts.routingSimulations.list} read={read}>
      {({ id, version, createdAt, status }) => (
        <>
          <span className="name">
            <Link
              to={`${addressOf(version)}&simulation=${id}`}
              {...(id === shown && { 'aria-current': 'page' as const })}
            >
              {texts.routingRules.numbered(version.number)}
            </Link>
          </span>
          <SimulationState of={status} />
          <span className="quiet">
            <Moment at={createdAt} />
          </span>
        </>
      )}
    </ReadList>
  );
}
