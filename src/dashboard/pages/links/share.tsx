import { Button } from '../../design/button.tsx';
import { Copy } from '../../design/pieces.tsx';
import { QrCode, qrFile } from '../../design/qr-code.tsx';
import { Card } from '../../design/record/card.tsx';
import { texts } from '../../texts/texts.ts';
import type { PaymentLink } from './query.ts';

const { share } = texts.links;

/** The address of a link, to copy, to scan and to open. A link that is over keeps its address alone. */
export function Share({ link: { id, url, status } }: { readonly link: PaymentLink }) {
  const isOpen = status === 'ACTIVE' || status === 'PROCESSING';
  return (
    <Card title={share.title}>
      <div className="share">
        {isOpen && <QrCode text={url} label={share.code} />}
        <Copy value={url} />
        <p className="quiet">{isOpen ? share.hint : share.over}</p>
        {isOpen && (
          <div className="actions">
            <a className="button" href={url} target="_blank" rel="noreferrer">
              {share.open}
            </a>
            <Button icon="download" onPress={() => save(qrFile(url), `payment-link-${id}.svg`)}>
              {share.download}
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}

/** Gives the browser a file to keep. */
function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
