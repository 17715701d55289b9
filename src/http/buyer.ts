import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { actingAs } from '../platform/database/acting.ts';

/** Returns the app for the changes that a buyer makes on a page. */
export const actingAsBuyer = (app: App, { id, ip }: Pick<FastifyRequest, 'id' | 'ip'>): App =>
  actingAs(app, { kind: 'buyer', id: null, address: ip, requestId: id });
