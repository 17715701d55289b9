import { useEffect, useState } from 'react';
import { Link } from '../../app/route.tsx';
import { paymentsOf, useLive } from '../../app/live.tsx';
import { useRead } from '../../app/read.ts';
import { useMay } from '../../app/session-context.tsx';
import { LiveMark } from '../../app/shell.tsx';
import { Icon } from '../../design/icon.tsx';
import { Bone, Copy, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { Amount, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Status } from '../payments/status.tsx';
import { Actions } from './actions.tsx';
import { Amounts, Details, ThreeDSecure } from './details.tsx';
import { Events } from './events.tsx';
import { readPayment, type Payment as Found } from './query.ts';
import { Timeline } from './timeline.tsx';
import { sentencesOf } from './words.ts';

/** The page of a payment. It reads again when an event of the payment comes. */
export function Payment({ id }: { readonly id: string }) {
  const readable = { buyers: useMay('buyers.read'), webhooks: useMay('webhook-subscriptions.read') };
  const { data, error, isLoading, reload } = useRead(id, (signal) => readPayment(id, readable, signal), {
    forget: true,
  });
  useLive((events) => {
    if (events.length === 0 || paymentsOf(events).has(id)) reload();
  });
  return (
    <>
      <div className="trail">
        <Link to="payments" className="back">
          <Icon name="back" />
          {texts.payment.back}
        </Link>
        <LiveMark />
      </div>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {data && <Shown payment={data} onChanged={reload} />}
      {!data && isLoading && <Loading />}
      {!data && !isLoading && error === null && (
        <Empty isPage icon="search" title={texts.payment.missing}>
          {texts.payment.missingText}
        </Empty>
      )}
    </>
  );
}

function Shown({ payment, onChanged }: { readonly payment: Found; readonly onChanged: () => void }) {
  const title = texts.payment.title(writeMoney(payment));
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <>
      <header className="payment-head">
        <div>
          <h1>
            <Amount {...payment} />
            <Status {...payment} />
          </h1>
          <p className="quiet">{sentencesOf(payment).join(' ')}</p>
          <Copy value={payment.id} />
        </div>
        <Actions payment={payment} onChanged={onChanged} />
      </header>
      <div className="payment">
        <div className="payment-main">
          <Timeline payment={payment} />
          <Events events={payment.feedEvents.nodes} />
        </div>
        <div className="payment-side">
          <Amounts payment={payment} />
          <Details payment={payment} />
          <ThreeDSecure payment={payment} />
        </div>
      </div>
    </>
  );
}

/** Stands in for a payment that is on its way. It shows only after a moment, so that quick answers do not flicker. */
function Loading() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="payment-loading" role="status" aria-label={texts.loading}>
      {isLate && [220, 420, 300, 380, 340].map((width) => <Bone key={width} width={width} />)}
    </div>
  );
}
