import type { ComponentProps } from 'react';
import { useSaidAct, type Saying } from '../../app/data/act.ts';
import { Button } from '../button.tsx';
import { Problem } from '../problem.tsx';

type ActButtonProps<Result> = Omit<ComponentProps<typeof Button>, 'onPress' | 'isDisabled' | 'submits'> & {
  readonly run: (idempotencyKey: string) => Promise<Result>;
  /** The sentence after the act. */
  readonly said?: Saying<Result>;
  /** The text while the act runs, if it is another. */
  readonly running?: string;
  readonly onDone: (result: Result) => void;
};

/** A button that carries something out at once. The refusal of the API stands before the button. */
export function ActButton<Result>({ run, said, running, onDone, children, ...look }: ActButtonProps<Result>) {
  const act = useSaidAct();
  return (
    <>
      {act.error !== null && <Problem error={act.error} />}
      <Button {...look} isDisabled={act.isRunning} onPress={() => act.run(run, said, onDone)}>
        {act.isRunning ? (running ?? children) : children}
      </Button>
    </>
  );
}
