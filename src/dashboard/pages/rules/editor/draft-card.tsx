import { useState } from 'react';
import { useRead } from '../../../app/data/read.ts';
import { go } from '../../../app/route.tsx';
import { Button, IconButton } from '../../../design/button.tsx';
import { TextField } from '../../../design/form/field.tsx';
import { FormDialog } from '../../../design/form/form-dialog.tsx';
import { Icon } from '../../../design/icon.tsx';
import { Handle } from '../../../design/list/order.tsx';
import { Problem } from '../../../design/problem.tsx';
import { useToast } from '../../../design/toast.tsx';
import { texts } from '../../../texts/texts.ts';
import { addressOf } from '../activity.tsx';
import { checkRules, createVersion, type Own, type RuleSet, type Warning } from '../query.ts';
import { RuleCard } from '../rule-card.tsx';
import { canonical, type Rule } from '../rule.ts';
import type { Names } from '../words.ts';
import type { Draft } from './draft.ts';
import { isAboutRules, refusalsOf } from './refusals.ts';
import { isEditable, RuleDialog } from './rule-dialog.tsx';
import { useOrder } from './use-order.ts';

const { draft: words, warning: warnings } = texts.routingRules;

type DraftCardProps = {
  readonly ruleSet: RuleSet;
  readonly rules: readonly Rule[];
  readonly draft: Draft;
  readonly own: Own;
  readonly names: Names;
};

/** The rules of a draft as cards in an order that a person changes. Each has the warnings of the API about it. */
export function DraftCard({ ruleSet, rules, draft, own, names }: DraftCardProps) {
  const [edited, setEdited] = useState<number | null>(null);
  const [isSaving, setSaving] = useState(false);
  const toast = useToast();
  const discard = (): void => {
    draft.discard();
    go(`routing/${ruleSet.id}`, { replace: true });
    toast('good', words.discarded);
  };
  return (
    <section aria-label={words.title}>
      <header className="version-head">
        <h2>{words.title}</h2>
        <div className="actions">
          <Button onPress={discard}>{words.discard}</Button>
          <Button icon="plus" onPress={() => setEdited(rules.length)}>
            {words.add}
          </Button>
          <Button look="primary" isDisabled={rules.length === 0} onPress={() => setSaving(true)}>
            {words.save}
          </Button>
        </div>
      </header>
      <Kept draft={draft} latest={ruleSet.latestVersion} />
      <DraftRules {...{ ruleSet, rules, names }} onChange={draft.change} onEdit={setEdited} />
      {edited !== null && (
        <RuleDialog
          {...{ rules, own }}
          ruleSetId={ruleSet.id}
          at={edited}
          onDone={draft.change}
          onClose={() => setEdited(null)}
        />
      )}
      {isSaving && <SaveDialog {...{ ruleSet, rules, draft }} onClose={() => setSaving(false)} />}
    </section>
  );
}

type KeptProps = { readonly draft: Draft; /** The number of the latest version. */ readonly latest: number };

/** The state of a draft: its place, its beginning, and the draft of another tab with both ways on. */
function Kept({ draft: { rules, base, other, takeOther, keepMine }, latest }: KeptProps) {
  return (
    <>
      <p className="page-note">
        {rules?.length === 0 ? words.nothing : words.kept}
        {base !== null && base < latest && ` ${words.base(base, latest)}`}
      </p>
      <div role="status">
        {other && (
          <div className="card other-draft">
            <p>{other.rules ? words.newer(other.rules.length) : words.ended}</p>
            <div className="actions">
              <Button onPress={takeOther}>{other.rules ? words.takeNewer : words.takeEnd}</Button>
              <Button onPress={keepMine}>{words.keep}</Button>
            </div>
          </div>
        )}
      </div>
    </>
  );
}

type DraftRulesProps = Pick<DraftCardProps, 'ruleSet' | 'rules' | 'names'> & {
  readonly onChange: (rules: readonly Rule[]) => void;
  readonly onEdit: (at: number) => void;
};

function DraftRules({ ruleSet, rules, names, onChange, onEdit }: DraftRulesProps) {
  const check = useRead(
    `${ruleSet.id} ${canonical(rules)}`,
    async (signal) => (rules.length === 0 ? [] : checkRules(ruleSet.id, rules, signal)),
    { forget: true },
  );
  const byName = new Map(rules.map((rule) => [rule.name, rule]));
  const ordered = (order: readonly string[]): readonly Rule[] =>
    order.flatMap((name) => byName.get(name) ?? []);
  const reordering = useOrder(
    rules.map(({ name }) => name),
    (name) => name,
    (order) => onChange(ordered(order)),
  );
  return (
    <>
      <ol className="rule-cards" aria-label={words.title} data-dragging={reordering.dragged !== null}>
        {ordered(reordering.order).map((rule, at) => (
          <RuleCard
            key={rule.name}
            {...{ rule, names }}
            rank={at + 1}
            isDragged={reordering.dragged === rule.name}
            handle={rules.length > 1 && <Handle id={rule.name} name={rule.name} reordering={reordering} />}
            acts={
              <>
                {isEditable(rule) && (
                  <IconButton
                    icon="pencil"
                    label={words.edit(rule.name)}
                    onPress={() => onEdit(rules.indexOf(rule))}
                  />
                )}
                <IconButton
                  icon="trash"
                  label={words.remove(rule.name)}
                  onPress={() => onChange(rules.filter(({ name }) => name !== rule.name))}
                />
              </>
            }
          >
            {!isEditable(rule) && <p className="quiet">{words.locked}</p>}
            {/* A drag shows another order than the one that was checked. */}
            <Findings at={rules.indexOf(rule)} warnings={check.data ?? []} error={check.error} />
          </RuleCard>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {reordering.said}
      </p>
      {check.error !== null && !isAboutRules(check.error) && (
        <Problem error={check.error} onRetry={check.reload} />
      )}
    </>
  );
}

type FindingsProps = { readonly at: number; readonly warnings: readonly Warning[]; readonly error: unknown };

/** The weaknesses of a rule, and the reasons for which the API refuses it. */
function Findings({ at, warnings: all, error }: FindingsProps) {
  const mine = all.filter(({ rule }) => rule === at + 1);
  const refusals = refusalsOf(error, at);
  if (mine.length + refusals.length === 0) return null;
  return (
    <ul className="rule-findings">
      {refusals.map(({ message, path }) => (
        <li key={path.join('.')} data-tone="bad">
          <Icon name="warning" size={14} />
          <span>{message}</span>
        </li>
      ))}
      {mine.map(({ code, message }) => (
        <li key={message}>
          <Icon name="warning" size={14} />
          <span>
            {warnings[code]} <small>{message}</small>
          </span>
        </li>
      ))}
    </ul>
  );
}

type SaveDialogProps = Pick<DraftCardProps, 'ruleSet' | 'rules' | 'draft'> & { readonly onClose: () => void };

/** Makes a version of the draft, with a note. */
function SaveDialog({ ruleSet, rules, draft, onClose }: SaveDialogProps) {
  const [note, setNote] = useState('');
  return (
    <FormDialog
      title={words.saveTitle(ruleSet.latestVersion + 1)}
      submit={words.save}
      run={(key) => createVersion({ ruleSetId: ruleSet.id, rules, note }, key)}
      said={words.saved}
      onDone={(id) => {
        draft.discard();
        go(addressOf({ id, ruleSet }));
      }}
      onClose={onClose}
    >
      <p className="quiet">{words.saveText}</p>
      <TextField
        path="note"
        label={texts.routingRules.activate.note}
        value={note}
        onChange={setNote}
        maxLength={500}
        autoFocus
      />
    </FormDialog>
  );
}
