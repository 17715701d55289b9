import { useState } from 'react';
import { useRead } from '../../app/data/read.ts';
import { isAbout, useRefresh } from '../../app/data/refresh.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { useCreation } from '../../design/list/list-page.tsx';
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
  const [isTrying, setTrying] = useState(false);
  useRefresh(reload, isAbout('three-ds-scenario'));
  const { add, creating } = useCreation('three-ds-scenarios.write', words.add, (onClose) => (
    <RuleDialog rule={null} onClose={onClose} onChanged={reload} />
  ));
  return (
    <>
      <PageHead title={words.title}>
        {data && data.length > 0 && (
          <Button icon="search" onPress={() => setTrying(true)}>
            {words.try.open}
          </Button>
        )}
        {add}
      </PageHead>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {!data && isLoading && <CardBones />}
      {data?.length === 0 && (
        <Empty
          icon="shield"
          title={words.empty.title}
          actions={add}
          guide={['docs/sandbox#3-d-secure-test-cards', words.empty.cards]}
        >
          {words.empty.text}
        </Empty>
      )}
      {data && data.length > 0 && (
        <>
          <p className="page-note">{words.text}</p>
          <RuleList rules={data} mayWrite={mayWrite} onChanged={reload} />
        </>
      )}
      {creating}
      {isTrying && <TryDialog rules={data ?? []} onClose={() => setTrying(false)} />}
    </>
  );
}
