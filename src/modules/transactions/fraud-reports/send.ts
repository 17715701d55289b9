import type { App } from '../../../app.ts';
import type { StoredAntiFraudService } from '../../payment-services/index.ts';
import type { DueReport } from './report-of.ts';
import { namesOf, tell } from './tell.ts';
import { FAILURES_MAX, waveOf } from './wave.ts';

/** The log has the first failure of a report, and each tenth later one. */
const LOGGED_EACH = 10;

export type Walk = { readonly app: App; readonly service: StoredAntiFraudService };

type Sent = {
  /** The reports that are still to be sent, in their order. */
  readonly left: readonly DueReport[];
  /** The number of consecutive failures before the first of them is taken. 0 if every sent report was taken or given up. */
  readonly failures: number;
};

/**
 * Sends some of the reports at once. `earlier` is the number of failures of the first one until now.
 *
 * A report that has failed for long is given up if the third party takes that of another payment meanwhile.
 */
export async function sendSome(
  { app, service }: Walk,
  rest: readonly DueReport[],
  earlier: number,
): Promise<Sent> {
  const wave = waveOf(rest, earlier);
  const causes = await Promise.all(wave.map((due) => tell(app, service, due)));
  const taken = new Set(wave.filter((_, nth) => causes[nth] === null));
  const left = rest.filter((due) => !taken.has(due));
  const failed = wave.find((due) => !taken.has(due));
  if (!failed) return { left, failures: 0 };
  const isHead = failed === rest[0];
  const failures = isHead ? earlier + 1 : 1;
  const about = { ...namesOf(service, failed), cause: causes[wave.indexOf(failed)], attempts: failures };
  if (isHead && earlier >= FAILURES_MAX && taken.size > 0) {
    app.log.error(about, 'An anti-fraud service never took a report. The later reports go on.');
    return { left: left.filter((due) => due !== failed), failures: 0 };
  }
  if (failures % LOGGED_EACH === 1)
    app.log.warn(about, 'An anti-fraud service did not take a report. The later reports wait.');
  return { left, failures };
}
