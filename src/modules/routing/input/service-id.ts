import { z } from 'zod';
import { isUuid } from '../../../platform/ids.ts';

/** The id of a payment service. The account's own services are checked later. */
export const serviceId = z.string().refine(isUuid, 'Must be the id of a payment service.').toLowerCase();
