import { detach } from './methods.ts';
import { emit, type StripeWorld } from './world.ts';

/** A new card of the issuer. */
export type NewCard = Partial<Record<'exp_month' | 'exp_year', number> & Record<'brand' | 'last4', string>>;

/** Lets the issuer send a new card, which the network tells Stripe. The payment method keeps its id. */
export function replaceCard(world: StripeWorld, id: string, changes: NewCard): void {
  const { wire } = find(world, id);
  if (!wire.card) throw new Error(`The payment method ${id} is no card.`);
  const earlier = { ...wire.card } as unknown as Readonly<Record<string, unknown>>;
  const previous = Object.fromEntries(Object.keys(changes).map((name) => [name, earlier[name]]));
  Object.assign(wire.card, changes);
  emit(world, 'payment_method.automatically_updated', wire, { card: previous });
}

/** Changes the name of the buyer, and leaves the card. */
export function renameBuyer(world: StripeWorld, id: string, name: string): void {
  const { wire } = find(world, id);
  const previous = { billing_details: { name: wire.billing_details.name } };
  wire.billing_details.name = name;
  emit(world, 'payment_method.updated', wire, previous);
}

export const detachMethod = (world: StripeWorld, id: string): void => detach(world, find(world, id));

function find({ methods }: StripeWorld, id: string) {
  const method = methods.get(id);
  if (!method) throw new Error(`Stripe has no payment method ${id}.`);
  return method;
}
