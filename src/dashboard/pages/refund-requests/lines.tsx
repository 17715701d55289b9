import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Decisions } from './decide.tsx';
import type { RefundRequest } from './query.ts';
import { RequestFacts, RequestState } from './state.tsx';

const { refundRequests: words } = texts;

type LinesProps = { readonly requests: readonly RefundRequest[]; readonly onChanged: () => void };

/** The requests for refunds of a payment, newest first. Absent without a request. */
export const RefundRequestLines = ({ requests, onChanged }: LinesProps) =>
  requests.map((request) => (
    <section key={request.id} className="card case">
      <h2>
        {words.name(writeMoney(request))}
        <RequestState of={request.status} />
      </h2>
      <RequestFacts request={request} />
      <Decisions request={request} onChanged={onChanged} />
    </section>
  ));
