import { expect } from '@jest/globals';
import { parse, validate, type ExecutionResult } from 'graphql';
import { createExecutor } from '../../src/graph/execution/execute.ts';
import { syntheticContext, syntheticGraph } from './synthetic.ts';

export const { schema } = syntheticGraph();
export const reference = createExecutor(schema, 'reference');

export type Requested = {
  readonly text: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly scopes?: readonly string[];
};
export type Both = {
  readonly expected: ExecutionResult;
  readonly answered: ExecutionResult;
  readonly compiled: boolean;
};

/** Runs both executors, the compiled one often enough to compile. */
export async function askBoth(
  { text, variables = {}, scopes }: Requested,
  executor = createExecutor(schema, 'compiled'),
): Promise<Both> {
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const request = () => ({ document, variables, context: syntheticContext(scopes) });
  const expected = await reference.execute(request());
  expect(executor.tryCompiled(request())).toBeNull();
  const second = executor.tryCompiled(request());
  return { expected, answered: await (second ?? executor.execute(request())), compiled: second !== null };
}
