import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { useRead } from '../../app/read.ts';
import { useRefresh } from '../../app/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { useToast } from '../../design/toast.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { cancelReplay, readReplays, type Job } from './query.ts';
import { ReplayDialog } from './replay-dialog.tsx';

const { replay: words } = texts.webhooks;

const TONES: Readonly<Record<Job['state'], Tone>> = { RUNNING: 'wait', DONE: 'good', CANCELLED: 'calm' };

/** The latest replays to an endpoint, and the start of another. */
export function Replays({ endpointId }: { readonly endpointId: string }) {
  const { data, error, reload } = useRead(endpointId, (signal) => readReplays(endpointId, signal));
  const mayWrite = useMay('webhook-subscriptions.write');
  const [isOpen, setOpen] = useState(false);
  const isMoving = data?.some(({ state }) => state === 'RUNNING') ?? false;
  useRefresh(reload, { concerns: (events) => events.length === 0, isMoving });
  return (
    <section className="card">
      <header>
        <h2>{words.title}</h2>
        {mayWrite && (
          <Button icon="sync" onPress={() => setOpen(true)}>
            {words.open}
          </Button>
        )}
      </header>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {data?.length === 0 && <p className="card-note">{words.empty}</p>}
      <ul className="events">
        {data?.map((job) => (
          <Replay key={job.id} job={job} mayCancel={mayWrite} onChanged={reload} />
        ))}
      </ul>
      {isOpen && <ReplayDialog endpointId={endpointId} onClose={() => setOpen(false)} onStarted={reload} />}
    </section>
  );
}

type ReplayProps = { readonly job: Job; readonly mayCancel: boolean; readonly onChanged: () => void };

function Replay({ job, mayCancel, onChanged }: ReplayProps) {
  const act = useAct();
  const toast = useToast();
  const cancel = (): void =>
    act.run(
      () => cancelReplay(job.id),
      () => {
        toast('good', words.cancelled);
        onChanged();
      },
    );
  return (
    <li>
      <div className="event">
        <Pill tone={TONES[job.state]}>{words.state[job.state]}</Pill>
        <span className="quiet">
          <Moment at={job.createdAt} />
        </span>
      </div>
      <p>{words.scopes[job.scope]}</p>
      <p className="quiet">{words.progress(job.queuedCount, Math.round(job.progress * 100))}</p>
      {act.error !== null && <Problem error={act.error} />}
      {mayCancel && job.state === 'RUNNING' && (
        <Button onPress={cancel} isDisabled={act.isRunning}>
          {words.cancel}
        </Button>
      )}
    </li>
  );
}
