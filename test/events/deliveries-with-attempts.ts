import type { App } from '../../src/app.ts';

/** Reads the deliveries of an endpoint in the order of their events, with their attempts in order. */
export async function deliveriesWithAttempts({ db }: Pick<App, 'db'>, endpointId: string) {
  const where = { endpointId };
  const [deliveries, attempts] = await Promise.all([
    db.prisma.delivery.findMany({ where, orderBy: { position: 'asc' } }),
    db.prisma.deliveryAttempt.findMany({ where, orderBy: { number: 'asc' } }),
  ]);
  const byPosition = Map.groupBy(attempts, ({ position }) => position);
  return deliveries.map((delivery) => ({ ...delivery, attempts: byPosition.get(delivery.position) ?? [] }));
}
