import { afterAll, expect, it } from '@jest/globals';
import type { ReportAnswer } from '../../../src/connectors/anti-fraud/report.ts';
import { forterAntiFraud } from '../../../src/connectors/forter/definition.ts';
import { createForter } from '../../../src/connectors/forter/index.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { BARE_CHECK, captureReportOf } from '../../support/check-request.ts';
import { listenOn } from '../double-server.ts';
import { API_KEY, SITE_ID } from './double.ts';

const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
afterAll(() => http.close());

const FAILED = '{"status":"failed"}';
const PROXY = '<!doctype html><p>Not here</p>';

it.each<[status: number, body: string, tries: number, kind: ReportAnswer['kind']]>([
  [200, FAILED, 1, 'refused'],
  [200, '{"status":"success"}', 1, 'done'],
  [200, '', 1, 'done'],
  [200, 'OK', 1, 'done'],
  [202, '{"status":"accepted"}', 1, 'done'],
  [204, '', 1, 'done'],
  [404, FAILED, 1, 'refused'],
  [404, PROXY, 2, 'unknown'],
  [403, '', 2, 'unknown'],
  [408, FAILED, 2, 'unknown'],
  [425, FAILED, 2, 'unknown'],
  [429, FAILED, 2, 'unknown'],
  [500, FAILED, 2, 'unknown'],
])('a report with the answer %i %s is sent %i times, and is %s', async (status, body, tries, kind) => {
  let sent = 0;
  const headers = { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' };
  const serve = async () => {
    sent += 1;
    return { status, headers, body };
  };
  const { url, close } = await listenOn({ serve });

  const answer = await createForter(() => url).report?.(
    {
      ...{ definition: forterAntiFraud, interfaceVersion: '2.1', http, deadlineMs: 30_000 },
      ...{ now: new Date('2026-11-22T10:00:01Z'), credentials: { site_id: SITE_ID, api_key: API_KEY } },
    },
    captureReportOf(BARE_CHECK),
  );
  await close();

  expect([answer?.kind, sent]).toEqual([kind, tries]);
});
