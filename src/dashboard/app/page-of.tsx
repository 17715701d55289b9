import { lazy, type ComponentType } from 'react';
import { Empty } from '../design/pieces.tsx';
import { texts } from '../texts/texts.ts';
import { Link } from './route.tsx';

type Page = ComponentType<{ readonly id: string }>;

/** Loads a page when a person first opens it. */
const load = (read: () => Promise<Page>): Page => lazy(async () => ({ default: await read() }));

/** The pages by their addresses. The id is the part of an address in place of `*`. */
const PAGES: Readonly<Record<string, Page>> = {
  '': load(async () => (await import('../pages/home/page.tsx')).Home),
  payments: load(async () => (await import('../pages/payments/page.tsx')).Payments),
  'payments/*': load(async () => (await import('../pages/payment/page.tsx')).Payment),
  buyers: load(async () => (await import('../pages/buyers/list.tsx')).Buyers),
  'buyers/*': load(async () => (await import('../pages/buyers/record.tsx')).Buyer),
  links: load(async () => (await import('../pages/links/list.tsx')).Links),
  'links/*': load(async () => (await import('../pages/links/record.tsx')).PaymentLink),
  events: load(async () => (await import('../pages/events/page.tsx')).Events),
  unresolved: load(async () => (await import('../pages/unresolved/page.tsx')).UnresolvedOperations),
  'refund-requests': load(async () => (await import('../pages/refund-requests/page.tsx')).RefundRequests),
  differences: load(async () => (await import('../pages/differences/list.tsx')).Differences),
  'differences/*': load(async () => (await import('../pages/differences/record.tsx')).Difference),
  disputes: load(async () => (await import('../pages/disputes/list.tsx')).Disputes),
  'disputes/*': load(async () => (await import('../pages/disputes/record.tsx')).Dispute),
  services: load(async () => (await import('../pages/services/list.tsx')).Services),
  'services/*': load(async () => (await import('../pages/services/record.tsx')).PaymentService),
  routing: load(async () => (await import('../pages/rules/page.tsx')).RoutingRules),
  'routing/*': load(async () => (await import('../pages/rules/record.tsx')).RoutingRuleSet),
  'anti-fraud': load(async () => (await import('../pages/anti-fraud/list.tsx')).AntiFraud),
  'anti-fraud/*': load(async () => (await import('../pages/anti-fraud/record.tsx')).AntiFraudService),
  'three-ds': load(async () => (await import('../pages/three-ds/page.tsx')).ThreeDSRules),
  settlements: load(async () => (await import('../pages/settlements/list.tsx')).Settlements),
  'settlements/*': load(async () => (await import('../pages/settlements/record.tsx')).Settlement),
  'gift-cards': load(async () => (await import('../pages/gift-cards/list.tsx')).GiftCards),
  'gift-cards/*': load(async () => (await import('../pages/gift-cards/record.tsx')).GiftCard),
  account: load(async () => (await import('../pages/account/page.tsx')).Account),
  team: load(async () => (await import('../pages/team/page.tsx')).Team),
  keys: load(async () => (await import('../pages/keys/page.tsx')).Keys),
  'audit-log': load(async () => (await import('../pages/audit/page.tsx')).Audit),
  webhooks: load(async () => (await import('../pages/webhooks/list.tsx')).Webhooks),
  'webhooks/*': load(async () => (await import('../pages/webhooks/record.tsx')).Webhook),
};

/** Shows the page of an address, or says that there is none. */
export function PageOf({ path }: { readonly path: string }) {
  const [first = '', id = '', ...rest] = path.split('/');
  const Known = rest.length > 0 ? undefined : PAGES[id === '' ? first : `${first}/*`];
  return Known ? <Known id={id} /> : <NotFound />;
}

const NotFound = () => (
  <Empty
    isPage
    icon="search"
    title={texts.notFound.title}
    actions={
      <Link className="button" to="payments">
        {texts.notFound.back}
      </Link>
    }
  />
);
