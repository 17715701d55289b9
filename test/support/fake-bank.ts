import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  simulateRevocation,
  type RevocationAnswer,
  type RevocationQuestion,
} from '../../src/connectors/sandbox/mandates.ts';

/** The fault of the next request: lost before the work, a reply lost after it, a refusal, or nonsense. */
export type BankFault = 'lose_request' | 'lose_answer' | 'error_after_work' | 'refuse' | 'nonsense';

/** A fake provider of mandates: real HTTP and its own books. */
export type FakeBank = {
  readonly url: string;
  /** Every received request, in order. */
  readonly questions: readonly RevocationQuestion[];
  /** The mandates that the provider has revoked, one entry for each real revocation. */
  readonly revoked: readonly string[];
  failNext(...faults: readonly BankFault[]): void;
  close(): Promise<void>;
};

export async function startFakeBank(): Promise<FakeBank> {
  const questions: RevocationQuestion[] = [];
  const revoked: string[] = [];
  const faults: BankFault[] = [];

  const answer = (question: RevocationQuestion): RevocationAnswer => {
    const reported = simulateRevocation(question);
    if (reported.result === 'revoked' && !revoked.includes(question.mandate)) revoked.push(question.mandate);
    return reported;
  };

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const question = JSON.parse(Buffer.concat(chunks).toString('utf8')) as RevocationQuestion;
      questions.push(question);
      // No connection is used twice. A lost reply stays lost, and the client does not repeat the request on a new
      // connection.
      response.setHeader('connection', 'close');
      const fault = faults.shift();
      if (fault === 'lose_request') return void response.destroy();
      if (fault === 'refuse')
        // The reply echoes the request, as some providers do.
        return void response.end(JSON.stringify({ result: 'refused', code: `not ${question.mandate}` }));
      const reported = answer(question);
      if (fault === 'lose_answer') response.destroy();
      else if (fault === 'error_after_work') response.writeHead(500).end('Internal error');
      else if (fault === 'nonsense') response.end('{"result":"perhaps"}');
      else response.end(JSON.stringify(reported));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mandates`,
    questions,
    revoked,
    failNext: (...given) => void faults.push(...given),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
