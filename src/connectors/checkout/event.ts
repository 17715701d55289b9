import { z } from 'zod';
import type { Notice } from '../door.ts';
import { payment } from './answers.ts';

const text = z.string().nullish().catch(null);

/** An event of a workflow. The type tells the form of the data. Older events have `created_on` as their time. */
export const eventSchema = z.object({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  timestamp: text,
  created_on: text,
  data: z.object({ id: z.string(), processing_channel_id: text }).loose(),
});
export type Event = z.output<typeof eventSchema>;

/** The event or the action that tells something. */
export type Telling = Pick<Notice, 'eventKey' | 'occurredAt'>;

/** The data of an event about a payment. The type of the event stands for the status. */
export const paymentData = payment.omit({ status: true }).extend({ action_id: text });
export type PaymentData = z.output<typeof paymentData>;
