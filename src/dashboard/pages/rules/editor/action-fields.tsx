import { useId } from 'react';
import { Button, IconButton } from '../../../design/button.tsx';
import { binder, CheckField, optionsOf, SelectField, TextField } from '../../../design/form/field.tsx';
import { Handle } from '../../../design/list/order.tsx';
import { texts } from '../../../texts/texts.ts';
import type { Own } from '../query.ts';
import { PriceFields, SuccessFields } from './compared-fields.tsx';
import { ACTION_KINDS, newShare, type OrderForm, type RuleForm, type ShareForm } from './form.ts';
import { useOrder } from './use-order.ts';

const { form: words } = texts.routingRules;

/** The most services of an order. */
const SERVICES_MAX = 20;
/** The most services that a rule compares. */
const COMPARED_MAX = 10;
/** The least and the most shares of a split. */
const SHARES = { min: 2, max: 10 } as const;

type ActionFieldsProps = {
  readonly value: RuleForm;
  readonly own: Own;
  readonly onChange: (rule: RuleForm) => void;
  /** The path of the rule below `input`, with a dot at its end. */
  readonly path: string;
};

/** The action of a rule, and its wish for an authentication. */
export function ActionFields({ value, own, onChange, path }: ActionFieldsProps) {
  const bind = binder(value, onChange, path);
  return (
    <>
      <SelectField
        {...bind('action')}
        label={words.action}
        options={optionsOf(words.actions, ACTION_KINDS)}
      />
      {value.action === 'order' && (
        <OrderFields order={value.order} own={own} onChange={(order) => onChange({ ...value, order })} />
      )}
      {(value.action === 'bySuccess' || value.action === 'byCost') && (
        <ComparedFields {...{ value, own, onChange }} path={`${path}action.`} />
      )}
      {value.action === 'split' && (
        <ShareFields shares={value.shares} own={own} onChange={(shares) => onChange({ ...value, shares })} />
      )}
      {value.action === 'refuse' && (
        <TextField
          {...bind('code')}
          path={`${path}action.refuse.code`}
          label={words.code}
          hint={words.codeHint}
          maxLength={50}
          required
        />
      )}
      <SelectField
        {...bind('wish')}
        path={`${path}threeDSecure`}
        label={words.wish}
        options={optionsOf(words.wishes, ['none', 'ALWAYS', 'NEVER'])}
      />
    </>
  );
}

/** The services that a rule compares, and its terms. */
function ComparedFields({ value, own, onChange, path }: ActionFieldsProps) {
  const { order, prices } = value;
  // A price is of a listed service.
  const choose = (next: OrderForm): void =>
    onChange({
      ...value,
      order: next,
      prices: prices.filter(({ service }) => next.services.includes(service)),
    });
  return (
    <>
      <OrderFields {...{ order, own }} label={words.compared} max={COMPARED_MAX} onChange={choose} />
      {value.action === 'bySuccess' ? (
        <SuccessFields {...{ value, onChange, path }} />
      ) : (
        <PriceFields {...{ value, own, onChange, path }} />
      )}
    </>
  );
}

type OrderFieldsProps<Order> = {
  readonly order: Order;
  readonly own: Own;
  readonly onChange: (order: Order) => void;
  readonly label?: string;
  readonly max?: number;
};

/** Services in an order that a person drags, or changes by the keyboard. */
function OrderFields<Order extends OrderForm>({
  order,
  own,
  onChange,
  label = words.services,
  max = SERVICES_MAX,
}: OrderFieldsProps<Order>) {
  const prefix = useId();
  const { services } = order;
  const nameOf = (id: string): string =>
    [...own.services, ...own.deleted].find((each) => each.id === id)?.displayName ?? id;
  const choose = (next: readonly string[]): void => onChange({ ...order, services: next });
  // The same service may stand in several shares, and an id is unique in a page.
  const keyOf = (id: string): string => `${prefix} ${id}`;
  const idOf = (key: string): string => key.slice(prefix.length + 1);
  const reordering = useOrder(
    services.map(keyOf),
    (key) => nameOf(idOf(key)),
    (keys) => choose(keys.map(idOf)),
  );
  const others = own.services.filter(({ id }) => !services.includes(id));
  return (
    <div className="field">
      <span className="label">{label}</span>
      <ol className="service-order" data-dragging={reordering.dragged !== null}>
        {reordering.order.map((key, at) => (
          <li key={key} data-dragged={reordering.dragged === key}>
            <Handle id={key} name={nameOf(idOf(key))} reordering={reordering} />
            <span className="rank">{at + 1}</span>
            <span>{nameOf(idOf(key))}</span>
            <IconButton
              icon="trash"
              label={words.removeService(nameOf(idOf(key)))}
              onPress={() => choose(services.filter((each) => each !== idOf(key)))}
            />
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {reordering.said}
      </p>
      {others.length > 0 && services.length < max && (
        <SelectField
          label={words.addService}
          value=""
          options={[['', words.choose], ...others.map(({ id, displayName }) => [id, displayName] as const)]}
          onChange={(id) => id !== '' && choose([...services, id])}
        />
      )}
      <CheckField
        label={words.onlyThese}
        value={order.onlyThese}
        onChange={(onlyThese) => onChange({ ...order, onlyThese })}
      />
    </div>
  );
}

type ShareFieldsProps = {
  readonly shares: readonly ShareForm[];
  readonly own: Own;
  readonly onChange: (shares: readonly ShareForm[]) => void;
};

const ShareFields = ({ shares, own, onChange }: ShareFieldsProps) => (
  <>
    {shares.map((share, at) => (
      <fieldset key={at} className="profile" aria-label={words.share(at + 1)}>
        <div className="rule-share">
          <TextField
            label={words.weight}
            value={share.weight}
            inputMode="numeric"
            maxLength={5}
            onChange={(weight) => onChange(shares.with(at, { ...share, weight }))}
          />
          {shares.length > SHARES.min && (
            <IconButton
              icon="trash"
              label={words.removeShare(at + 1)}
              onPress={() => onChange(shares.toSpliced(at, 1))}
            />
          )}
        </div>
        <OrderFields order={share} own={own} onChange={(next) => onChange(shares.with(at, next))} />
      </fieldset>
    ))}
    {shares.length < SHARES.max && (
      <div>
        <Button icon="plus" onPress={() => onChange([...shares, newShare('')])}>
          {words.addShare}
        </Button>
      </div>
    )}
  </>
);
