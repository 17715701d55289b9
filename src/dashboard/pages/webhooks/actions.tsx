import { useState } from 'react';
import { useSaidAct } from '../../app/data/act.ts';
import { api } from '../../app/data/api.ts';
import { go } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/form/form-dialog.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Problem } from '../../design/problem.tsx';
import { texts } from '../../texts/texts.ts';
import { EditDialog, RotateDialog } from './endpoint/endpoint-dialogs.tsx';
import { updateEndpoint, type Endpoint } from './endpoint/endpoint.ts';
import { TestDialog } from './test-dialog.tsx';

const { act: words, delete: remove } = texts.webhooks;

type ActionsProps = { readonly endpoint: Endpoint; readonly onChanged: () => void };

/** The acts on an endpoint, for those who may change it. */
export function Actions({ endpoint, onChanged }: ActionsProps) {
  const { id, url, state } = endpoint;
  const [open, setOpen] = useState<'test' | 'edit' | 'rotate' | 'delete' | null>(null);
  const { error, run } = useSaidAct(onChanged);
  const isDisabled = state === 'DISABLED';
  const toggle = (): void =>
    run(() => updateEndpoint(id, { active: isDisabled }), isDisabled ? words.enabled : words.disabled);
  if (!useMay('webhook-subscriptions.write')) return null;
  const props = { endpoint, onClose: () => setOpen(null), onChanged };
  return (
    <div className="actions">
      {error !== null && <Problem error={error} />}
      <Button icon="send" onPress={() => setOpen('test')}>
        {words.test}
      </Button>
      <Button icon="pencil" onPress={() => setOpen('edit')}>
        {words.edit}
      </Button>
      <MoreMenu
        label={words.more}
        items={[
          { name: words.rotate, icon: 'key', act: () => setOpen('rotate') },
          isDisabled
            ? { name: words.enable, icon: 'play', act: toggle }
            : { name: words.disable, icon: 'pause', act: toggle },
          { name: words.delete, icon: 'trash', act: () => setOpen('delete'), isDanger: true },
        ]}
      />
      {open === 'test' && <TestDialog {...props} />}
      {open === 'edit' && <EditDialog {...props} />}
      {open === 'rotate' && <RotateDialog {...props} />}
      {open === 'delete' && (
        <ConfirmDialog
          words={remove}
          text={remove.text}
          said={words.deleted}
          summary={[[remove.endpoint, url]]}
          run={() => api.mutate({ deleteWebhookEndpoint: [{ id }, { deletedId: true }] })}
          onDone={() => go('webhooks', { replace: true })}
          onClose={props.onClose}
        />
      )}
    </div>
  );
}
