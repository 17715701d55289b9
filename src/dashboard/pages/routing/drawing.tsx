import { Link } from '../../app/route.tsx';
import { Icon, type IconName } from '../../design/icon.tsx';
import { Pill, type Tone } from '../../design/pieces.tsx';
import { writeList } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { Explanation } from './query.ts';

const { routing: words } = texts;

type Service = Explanation['considered'][number]['paymentService'];

/** A service that a payment reached or may reach. */
export type Stop = {
  /** Two stops may have the same service, for example before and after a renewed request. */
  readonly key: string;
  readonly service: Service;
  readonly tone: Tone;
  readonly state: string;
  readonly sentences: readonly string[];
};

/** A service that gets no request, with the reasons. */
export type Passed = {
  readonly service: Service;
  readonly sentences: readonly string[];
};

const ICONS: Readonly<Record<Tone, IconName>> = {
  ...{ good: 'tick', bad: 'close', wait: 'clock', info: 'down', calm: 'pause' },
};

/** The services of a payment from the first to the last, joined by a line. */
export const Stops = ({ stops }: { readonly stops: readonly Stop[] }) => (
  <ol className="stops route" aria-label={words.asked}>
    {stops.map(({ key, service, tone, state, sentences }) => (
      <li key={key} data-tone={tone}>
        <span className="dot">
          <Icon name={ICONS[tone]} size={14} />
        </span>
        <div>
          <p className="route-name">
            <Name service={service} /> <Pill tone={tone}>{state}</Pill>
          </p>
          <p className="quiet">{sentences.join(' ')}</p>
        </div>
      </li>
    ))}
  </ol>
);

type PassedOverProps = {
  readonly passed: readonly Passed[];
  /** The services of other methods, which no setting could make fit. */
  readonly others: readonly Service[];
  /** Number of services that the API left out. */
  readonly rest: number;
};

/** The services that get no request, each with the reasons in words. */
export function PassedOver({ passed, others, rest }: PassedOverProps) {
  const notes = [
    ...(others.length > 0 ? [words.otherMethods(writeList(others.map((each) => each.displayName)))] : []),
    ...(rest > 0 ? [words.rest(rest)] : []),
  ];
  if (passed.length + notes.length === 0) return null;
  return (
    <div className="passed-over">
      <h3>{words.passed}</h3>
      {passed.length > 0 && (
        <ul>
          {passed.map(({ service, sentences }) => (
            <li key={service.id}>
              <Name service={service} />
              <span className="quiet">{sentences.join(' ')}</span>
            </li>
          ))}
        </ul>
      )}
      {notes.length > 0 && <p className="quiet">{notes.join(' ')}</p>}
    </div>
  );
}

const Name = ({ service: { id, displayName } }: { readonly service: Service }) => (
  <Link to={`services/${id}`}>{displayName}</Link>
);

/** Sorts the services without a request: those with reasons in words, and those of other methods. */
export function passedOverBy(explanation: Explanation): PassedOverProps {
  const { considered, consideredCount } = explanation;
  const against = considered.filter(({ accepts }) => !accepts);
  const isOther = ({ reasons }: (typeof against)[number]): boolean =>
    reasons.some(({ code }) => code === 'METHOD');
  return {
    passed: [
      ...leftOut(explanation).map((service) => ({ service, sentences: [words.reason.ROUTING_RULE] })),
      ...against
        .filter((each) => !isOther(each))
        .map(({ paymentService, reasons }) => ({
          service: paymentService,
          sentences: reasons.map(({ code }) => words.reason[code]),
        })),
    ],
    others: against.filter(isOther).map(({ paymentService }) => paymentService),
    rest: consideredCount - considered.length,
  };
}

/** Lists the services that accept the payment, and that a rule leaves out. The API lists the first candidates alone. */
function leftOut({ considered, candidates, candidateCount }: Explanation): readonly Service[] {
  if (candidates.length < candidateCount) return [];
  const asked = new Set(candidates.map(({ paymentService }) => paymentService.id));
  return considered
    .filter(({ accepts, paymentService }) => accepts && !asked.has(paymentService.id))
    .map(({ paymentService }) => paymentService);
}
