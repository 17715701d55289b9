import { z } from 'zod';
import { list, wholeNumber } from './config-values.ts';

const HEADER = /^[!#$%&'*+.^_`|~\w-]+=.+$/;

/** The settings of tracing. */
export const tracingSettings = {
  /** Address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://collector:4318/v1/traces. Without it, nothing is traced. */
  PAYGRAPH_TRACES_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** Headers (name=value, comma-separated) that the collector asks for. Needs PAYGRAPH_TRACES_URL. */
  PAYGRAPH_TRACES_HEADERS: list
    .refine(
      (headers) => headers.every((header) => HEADER.test(header)),
      'must be headers such as name=value, with a comma between',
    )
    .transform((headers) => Object.fromEntries(headers.map(splitHeader)))
    .default({}),
  /** Share of the traces that are recorded, in percent. */
  PAYGRAPH_TRACES_PERCENT: wholeNumber(1, 100).default(10),
} as const;

function splitHeader(header: string): [name: string, value: string] {
  const at = header.indexOf('=');
  return [header.slice(0, at), header.slice(at + 1)];
}
