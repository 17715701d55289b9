import { useState, type ReactNode } from 'react';
import { useRead } from '../../app/read.ts';
import { useRefresh, isAbout } from '../../app/refresh.ts';
import { useMay } from '../../app/session-context.tsx';
import { addressOf } from '../../app/session.ts';
import { PageHead } from '../../app/shell.tsx';
import { Button } from '../../design/button.tsx';
import { CardBones, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { RuleList } from './list.tsx';
import { readRules } from './query.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { TryDialog } from './try-dialog.tsx';

const { threeDS: words } = texts;

/** The rules by which the sandbox authenticates buyers, in the order of their checks. */
export function ThreeDSRules() {
  const { data, error, isLoading, reload } = useRead('three-ds', readRules);
  const mayWrite = useMay('three-ds-scenarios.write');
  const [open, setOpen] = useState<'add' | 'try' | null>(null);
  useRefresh(reload, { concerns: isAbout('three-ds-scenario'), isMoving: false });
  const close = (): void => setOpen(null);
  const add = mayWrite && (
    <Button icon="plus" look="primary" onPress={() => setOpen('add')}>
      {words.add}
    </Button>
  );
  return (
    <>
      <PageHead title={words.title}>
        {data && data.length > 0 && (
          <Button icon="search" onPress={() => setOpen('try')}>
            {words.try.open}
          </Button>
        )}
        {add}
      </PageHead>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && <CardBones />}
      {data?.length === 0 && <NoRules add={add} />}
      {data && data.length > 0 && (
        <>
          <p className="page-note">{words.text}</p>
          <RuleList rules={data} mayWrite={mayWrite} onChanged={reload} />
        </>
      )}
      {open === 'add' && <RuleDialog rule={null} onClose={close} onChanged={reload} />}
      {open === 'try' && <TryDialog rules={data ?? []} onClose={close} />}
    </>
  );
}

const NoRules = ({ add }: { readonly add: ReactNode }) => (
  <Empty
    icon="shield"
    title={words.empty.title}
    actions={
      <>
        {add}
        <a className="button" href={addressOf('docs/sandbox#3-d-secure-test-cards')}>
          {words.empty.cards}
        </a>
      </>
    }
  >
    {words.empty.text}
  </Empty>
);
