import { useState, type ReactNode } from 'react';
import { api } from '../../app/data/api.ts';
import { paymentsOf } from '../../app/data/live.tsx';
import { isAboutRecord, useRecord } from '../../app/data/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/form/form-dialog.tsx';
import { Copy } from '../../design/pieces.tsx';
import { Facts } from '../../design/record/facts.tsx';
import { RecordPage } from '../../design/record/page.tsx';
import { Amount, Moment, writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { PaymentLines } from '../payments/lines.tsx';
import { LinkState, readLink, type PaymentLink as Found } from './query.ts';
import { Share } from './share.tsx';

const { links } = texts;

/** The page of a payment link: its address, its payments and its details. */
export function PaymentLink({ id }: { readonly id: string }) {
  const readable = { buyers: useMay('buyers.read'), payments: useMay('transactions.read') };
  const concerns = isAboutRecord(id);
  const read = useRecord(id, (signal) => readLink(id, readable, signal), {
    concerns: (events) => concerns(events) || paymentsOf(events).size > 0,
    isMoving: ({ status }) => status === 'PROCESSING',
  });
  return (
    <RecordPage
      read={read}
      list="links"
      words={links}
      title={(link) => writeMoney(link)}
      head={(link) => ({
        title: <Amount {...link} />,
        state: <LinkState of={link.status} />,
        sentence: link.externalIdentifier,
        actions: <Actions link={link} onChanged={read.reload} />,
      })}
      main={(link) => (
        <PaymentLines
          title={links.payments.title}
          empty={links.payments.empty}
          payments={(link as Partial<Found>).transactions}
        />
      )}
      side={(link) => (
        <>
          <Share link={link} />
          <Details link={link} />
        </>
      )}
    />
  );
}

type ActionsProps = { readonly link: Found; readonly onChanged: () => void };

function Actions({ link, onChanged }: ActionsProps) {
  const { expire } = links;
  const [isOpen, setOpen] = useState(false);
  if (!useMay('payment-links.write') || link.status !== 'ACTIVE') return null;
  return (
    <div className="actions">
      <Button icon="cancel" onPress={() => setOpen(true)}>
        {expire.open}
      </Button>
      {isOpen && (
        <ConfirmDialog
          words={expire}
          text={expire.text}
          said={expire.done}
          summary={[[expire.amount, writeMoney(link)]]}
          run={() => api.mutate({ expirePaymentLink: [{ id: link.id }, { paymentLink: { id: true } }] })}
          onChanged={onChanged}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

/** Says whether the page offers a receipt, and when the buyer asked for one. */
function receiptOf({ offersReceipt, receiptRequestedAt }: Found): ReactNode {
  const { details } = links;
  if (receiptRequestedAt === null) return offersReceipt && details.receiptOffered;
  return (
    <>
      {details.receiptAsked} <Moment at={receiptRequestedAt} />
    </>
  );
}

function Details({ link }: { readonly link: Found }) {
  const { details } = links;
  const { buyerRecord: buyer }: Partial<Found> = link;
  return (
    <Facts
      title={details.title}
      facts={[
        [details.reference, link.externalIdentifier],
        [details.message, link.merchantMessage],
        [details.intent, links.form.intents[link.intent]],
        [details.country, link.country],
        [details.buyer, buyer?.displayName ?? buyer?.id],
        [details.stores, link.store && details.storesYes],
        [details.receipt, receiptOf(link)],
        [details.returns, link.returnUrl],
        [details.expires, <Moment at={link.expiresAt} />],
        [details.created, <Moment at={link.createdAt} />],
        [details.id, <Copy value={link.id} />],
      ]}
    />
  );
}
