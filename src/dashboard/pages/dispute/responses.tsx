import type { DisputeResponseStatus } from '../../../client/generated/schema.ts';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Dispute } from './query.ts';

const { disputes } = texts;

const TONES: Readonly<Record<DisputeResponseStatus, Tone>> = {
  ...{ PENDING: 'wait', SUCCEEDED: 'good', FAILED: 'bad' },
};

/** The responses of the merchant to a dispute, newest first. */
export function Responses({ responses }: Pick<Dispute, 'responses'>) {
  const { response } = disputes;
  return (
    <section className="card">
      <header>
        <h2>{response.title}</h2>
      </header>
      {responses.length === 0 && <p className="card-note">{response.empty}</p>}
      <ul className="events">
        {responses.map(({ id, kind, stage, status, errorCode, acceptedAt, createdAt }) => (
          <li key={id}>
            <div className="event">
              <strong>{response.kind[kind]}</strong>
              <span className="quiet">{disputes.stage[stage]}</span>
              <Pill tone={TONES[status]}>{response.status[status]}</Pill>
              <span className="quiet">
                <Moment at={createdAt} seconds />
              </span>
            </div>
            {errorCode !== null && <p className="quiet">{reasonOf(errorCode)}</p>}
            {status === 'PENDING' && (
              <p className="quiet">{acceptedAt === null ? response.later : response.booked}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says why a response failed. */
export const reasonOf = (code: string | null): string =>
  code === 'unknown_outcome' || code === null
    ? disputes.response.unclear
    : disputes.response.refused(code.replaceAll('_', ' '));
