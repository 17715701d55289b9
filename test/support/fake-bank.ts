import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  simulateRevocation,
  type RevocationAnswer,
  type RevocationQuestion,
} from '../../src/connectors/sandbox/mandates.ts';

/** What goes wrong with the next question: it is lost before the work, or the answer after it, or it is refused, or nonsense. */
export type BankFault = 'lose_request' | 'lose_answer' | 'error_after_work' | 'refuse' | 'nonsense';

/** A provider of mandates: real HTTP, and books of its own. */
export type FakeBank = {
  readonly url: string;
  /** Every question that arrived, in order. */
  readonly questions: readonly RevocationQuestion[];
  /** The mandates that it has revoked, one entry each time that it really did. */
  readonly revoked: readonly string[];
  failNext(...faults: readonly BankFault[]): void;
  close(): Promise<void>;
};

export async function startFakeBank(): Promise<FakeBank> {
  const questions: RevocationQuestion[] = [];
  const revoked: string[] = [];
  const faults: BankFault[] = [];

  const answer = (question: RevocationQuestion): RevocationAnswer => {
    const said = simulateRevocation(question);
    if (said.result === 'revoked' && !revoked.includes(question.mandate)) revoked.push(question.mandate);
    return said;
  };

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const question = JSON.parse(Buffer.concat(chunks).toString('utf8')) as RevocationQuestion;
      questions.push(question);
      // No connection is used twice: what is lost is lost, and the client does not repeat it on a fresh one.
      response.setHeader('connection', 'close');
      const fault = faults.shift();
      if (fault === 'lose_request') return void response.destroy();
      if (fault === 'refuse')
        // It repeats what it was asked, as some providers do.
        return void response.end(JSON.stringify({ result: 'refused', code: `not ${question.mandate}` }));
      const said = answer(question);
      if (fault === 'lose_answer') response.destroy();
      else if (fault === 'error_after_work') response.writeHead(500).end('Internal error');
      else if (fault === 'nonsense') response.end('{"result":"perhaps"}');
      else response.end(JSON.stringify(said));
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
