import { Icon } from '../../design/icon.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Source } from './query.ts';

const { source } = texts.settlements;

/** Says when the latest report was read, and which payment service has a failure. */
export function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const latest = sources
    .flatMap(({ settlementReporting }) => settlementReporting?.fetchedAt ?? [])
    .toSorted()
    .at(-1);
  return (
    <>
      {latest !== undefined && (
        <p className="page-note">
          {source.latest} <Moment at={latest} />
        </p>
      )}
      {sources.map(({ id, displayName, settlementReporting: state }) =>
        state && state.failure !== null ? (
          <div key={id} className="problem source-problem" role="alert">
            <Icon name="warning" />
            <p>
              {source.failure[state.failure](displayName)}
              {state.failureReason !== null && <small>{state.failureReason}</small>}
            </p>
          </div>
        ) : null,
      )}
    </>
  );
}
