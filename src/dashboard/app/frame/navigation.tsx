import { useEffect, useState } from 'react';
import { IconButton } from '../../design/button.tsx';
import { Icon, type IconName } from '../../design/icon.tsx';
import { texts } from '../../texts/texts.ts';
import { Link, useRoute } from '../route.tsx';
import { mayUse, useSession } from '../session-context.tsx';

type Place = {
  readonly to: string;
  readonly icon: IconName;
  readonly label: string;
  /** The scope that the page reads with. The page is left out without it. */
  readonly scope: string;
  /** True for a page that only a sandbox has. */
  readonly isSandbox?: boolean;
};

type Group = { readonly label: string | null; readonly places: readonly Place[] };

const { navigation } = texts;

/** The pages by the people who need them. */
const GROUPS: readonly Group[] = [
  {
    label: null,
    places: [
      { to: '.', icon: 'home', label: navigation.home, scope: 'transactions.read' },
      { to: 'payments', icon: 'payments', label: navigation.payments, scope: 'transactions.read' },
      { to: 'buyers', icon: 'person', label: navigation.buyers, scope: 'buyers.read' },
      { to: 'links', icon: 'link', label: navigation.links, scope: 'payment-links.read' },
      { to: 'gift-cards', icon: 'giftCard', label: navigation.giftCards, scope: 'gift-cards.read' },
      { to: 'unresolved', icon: 'unresolved', label: navigation.unresolved, scope: 'transactions.read' },
      { to: 'differences', icon: 'difference', label: navigation.differences, scope: 'transactions.read' },
      {
        ...{ to: 'refund-requests', icon: 'refund', label: navigation.refundRequests },
        scope: 'refund-approvals.read',
      },
      { to: 'disputes', icon: 'dispute', label: navigation.disputes, scope: 'disputes.read' },
      { to: 'settlements', icon: 'settlement', label: navigation.settlements, scope: 'settlements.read' },
    ],
  },
  {
    label: navigation.connections,
    places: [
      { to: 'services', icon: 'plug', label: navigation.services, scope: 'payment-services.read' },
      { to: 'routing', icon: 'route', label: navigation.routing, scope: 'routing-rules.read' },
      { to: 'anti-fraud', icon: 'fraud', label: navigation.antiFraud, scope: 'anti-fraud-services.read' },
      {
        ...{ to: 'three-ds', icon: 'shield', label: navigation.threeDS, scope: 'three-ds-scenarios.read' },
        isSandbox: true,
      },
    ],
  },
  {
    label: navigation.developers,
    places: [
      { to: 'webhooks', icon: 'webhook', label: navigation.webhooks, scope: 'webhook-subscriptions.read' },
      { to: 'events', icon: 'events', label: navigation.events, scope: 'events.read' },
    ],
  },
  {
    label: navigation.account,
    places: [
      { to: 'team', icon: 'person', label: navigation.team, scope: 'dashboard-people.read' },
      { to: 'keys', icon: 'key', label: navigation.keys, scope: 'api-key-pairs.read' },
      { to: 'audit-log', icon: 'clock', label: navigation.audit, scope: 'audit.read' },
    ],
  },
];

/** Leads to the pages that the person may read. On a phone, a button shows the list. */
export function Navigation() {
  const { path } = useRoute();
  const { scopes, environment } = useSession();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    const press = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setOpen(false);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const groups = GROUPS.map((group) => ({
    ...group,
    places: group.places.filter(
      ({ scope, isSandbox = false }) => mayUse(scopes, scope) && (!isSandbox || environment === 'sandbox'),
    ),
  })).filter(({ places }) => places.length > 0);
  return (
    <>
      <div className="menu-button">
        <IconButton
          icon={isOpen ? 'close' : 'menu'}
          label={isOpen ? navigation.close : navigation.open}
          isExpanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        />
      </div>
      <nav aria-label={navigation.label} data-open={isOpen}>
        {groups.map(({ label, places }) => (
          <div key={label ?? ''} className="nav-group">
            {label !== null && <p aria-hidden="true">{label}</p>}
            <ul {...(label !== null && { 'aria-label': label })}>
              {places.map(({ to, icon, label: shown }) => (
                <li key={to}>
                  <Link to={to} {...(isHere(path, to) && { 'aria-current': 'page' as const })}>
                    <Icon name={icon} />
                    {shown}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </>
  );
}

const isHere = (path: string, to: string): boolean =>
  to === '.' ? path === '' : path === to || path.startsWith(`${to}/`);
