import { useState } from 'react';
import { useList } from '../../app/data/pages.ts';
import { isAbout } from '../../app/data/refresh.ts';
import { PageHead } from '../../app/frame/shell.tsx';
import { go, Link } from '../../app/route.tsx';
import { TextField } from '../../design/form/field.tsx';
import { FormDialog } from '../../design/form/form-dialog.tsx';
import { useCreation } from '../../design/list/list-page.tsx';
import { More } from '../../design/list/more.tsx';
import { CardBones, Empty } from '../../design/pieces.tsx';
import { Problem } from '../../design/problem.tsx';
import { CardList } from '../../design/record/card.tsx';
import { Moment } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import { Activations, Now, useActivity } from './activity.tsx';
import { createRuleSet, readRuleSets } from './query.ts';
import { ValueSets } from './value-sets/value-sets.tsx';

const { routingRules: words } = texts;

/** The version that decides about payments, the rule sets, and the activations. */
export function RoutingRules() {
  const { data, error, isLoading, reload } = useActivity();
  const sets = useList('rule-sets', readRuleSets, isAbout('routing-rule-set'));
  const { add, creating } = useCreation('routing-rules.write', words.add.open, (onClose) => (
    <CreateDialog onClose={onClose} />
  ));
  const isEmpty = sets.data?.rows.length === 0;
  return (
    <>
      <PageHead title={words.title}>{add}</PageHead>
      {error !== null && <Problem error={error} onRetry={reload} />}
      {sets.error !== null && <Problem error={sets.error} onRetry={sets.reload} />}
      {!(data && sets.data) && (isLoading || sets.isLoading) && <CardBones />}
      {isEmpty && (
        <Empty
          icon="route"
          title={words.empty.title}
          actions={add}
          guide={['docs/guides/routing-rules', words.empty.guide]}
        >
          {words.empty.text}
        </Empty>
      )}
      {data && sets.data && !isEmpty && (
        <>
          <p className="page-note">{words.text}</p>
          <div className="parts">
            <Now activity={data} onChanged={reload} />
            <CardList
              look="routing-rows"
              title={words.sets.title}
              rows={sets.data.rows}
              foot={<More list={sets} />}
            >
              {({ id, name, latestVersion, updatedAt }) => (
                <>
                  <Link to={`routing/${id}`} className="name">
                    {name}
                  </Link>
                  <span className="quiet">{words.sets.versions(latestVersion)}</span>
                  <span className="quiet">
                    <Moment at={updatedAt} />
                  </span>
                </>
              )}
            </CardList>
            <ValueSets />
            <Activations activity={data} />
          </div>
        </>
      )}
      {creating}
    </>
  );
}

/** Creates a rule set, and leads to its page. */
function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const { add } = words;
  return (
    <FormDialog
      title={add.open}
      submit={add.open}
      isReady={name.trim() !== ''}
      run={(key) => createRuleSet(name.trim(), key)}
      said={add.said}
      onDone={(id) => go(`routing/${id}`)}
      onClose={onClose}
    >
      <TextField
        path="name"
        label={add.name}
        hint={add.hint}
        value={name}
        onChange={setName}
        maxLength={100}
        autoFocus
        required
      />
    </FormDialog>
  );
}
