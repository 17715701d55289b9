import { useState } from 'react';
import type { ReplayJob } from '../../../client/generated/schema.ts';
import type { Answer } from '../../../client/operations/selection.ts';
import { api } from '../../app/data/api.ts';
import { useRead } from '../../app/data/read.ts';
import { isNew, useRefresh } from '../../app/data/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { ActButton } from '../../design/form/act-button.tsx';
import { pillOf } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { CardList } from '../../design/record/card.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { ReplayDialog } from './replay-dialog.tsx';

const { replay: words } = texts.webhooks;

const State = pillOf<Job['state']>(words.state, { RUNNING: 'wait', DONE: 'good', CANCELLED: 'calm' });

const JOB = {
  ...{ id: true, scope: true, state: true, queuedCount: true, progress: true, createdAt: true },
} as const;

/** A replay of a span. */
type Job = Answer<ReplayJob, typeof JOB>;

/** Reads the latest replays to an endpoint. */
const readReplays = async (webhookEndpointId: string, signal: AbortSignal) =>
  (await api.query({ replayJobs: [{ webhookEndpointId, first: 5 }, { nodes: JOB }] }, { signal })).replayJobs
    .nodes;

/** The latest replays to an endpoint, and the start of another. */
export function Replays({ endpointId }: { readonly endpointId: string }) {
  const { data, error, reload } = useRead(endpointId, (signal) => readReplays(endpointId, signal));
  const mayWrite = useMay('webhook-subscriptions.write');
  const [isOpen, setOpen] = useState(false);
  useRefresh(reload, isNew, { isMoving: data?.some(({ state }) => state === 'RUNNING') ?? false });
  return (
    <>
      <CardList
        title={words.title}
        aside={
          mayWrite && (
            <Button icon="sync" onPress={() => setOpen(true)}>
              {words.open}
            </Button>
          )
        }
        note={error !== null && <Problem error={error} onRetry={reload} />}
        rows={data ?? []}
        empty={data && words.empty}
        isTall
      >
        {(job) => <Replay job={job} mayCancel={mayWrite} onChanged={reload} />}
      </CardList>
      {isOpen && <ReplayDialog endpointId={endpointId} onClose={() => setOpen(false)} onChanged={reload} />}
    </>
  );
}

type ReplayProps = { readonly job: Job; readonly mayCancel: boolean; readonly onChanged: () => void };

const Replay = ({ job, mayCancel, onChanged }: ReplayProps) => (
  <>
    <div className="event">
      <State of={job.state} />
      <span className="quiet">
        <Moment at={job.createdAt} />
      </span>
    </div>
    <p>{words.scopes[job.scope]}</p>
    <p className="quiet">{words.progress(job.queuedCount, Math.round(job.progress * 100))}</p>
    {mayCancel && job.state === 'RUNNING' && (
      <ActButton
        run={() => api.mutate({ cancelReplayJob: [{ id: job.id }, { replayJob: { id: true } }] })}
        said={words.cancelled}
        onDone={onChanged}
      >
        {words.cancel}
      </ActButton>
    )}
  </>
);
