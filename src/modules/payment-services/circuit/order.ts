import { isDue, type Circuit } from './circuit.ts';

/** The order in which a payment asks services, and the service that the payment may try again instead. */
export type OrderByCircuits<Service> = {
  /** The services without an open circuit, then the others. No service is added or left out. */
  readonly ordered: readonly Service[];
  /** The service to try again. Null when none is due, or a service that is well comes before. */
  readonly due: Service | null;
};

/** Sets the services with an open circuit behind the others. Both parts keep their order. */
export function orderByCircuits<Service extends { readonly circuit: Circuit | null }>(
  services: readonly Service[],
  now: Date,
): OrderByCircuits<Service> {
  const firstWell = services.findIndex(({ circuit }) => circuit === null);
  const before = firstWell === -1 ? services : services.slice(0, firstWell);
  return {
    ordered: setBehind(services),
    due: before.find(({ circuit }) => circuit && isDue(circuit, now)) ?? null,
  };
}

/** Sets the services that a payment of the near future does not try again behind the others. Both parts keep their order. */
export const orderForeseen = <Service extends { readonly circuit: Circuit | null }>(
  services: readonly Service[],
  now: Date,
): readonly Service[] => {
  const waits = ({ circuit }: Service): boolean => circuit !== null && !isDue(circuit, now);
  return [...services.filter((each) => !waits(each)), ...services.filter(waits)];
};

const setBehind = <Service extends { readonly circuit: Circuit | null }>(
  services: readonly Service[],
): readonly Service[] => [
  ...services.filter(({ circuit }) => circuit === null),
  ...services.filter(({ circuit }) => circuit !== null),
];
