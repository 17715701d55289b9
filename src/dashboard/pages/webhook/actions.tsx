import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { go } from '../../app/route.tsx';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Problem } from '../../design/problem.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { updateEndpoint, type Endpoint } from '../webhooks/query.ts';
import type { EndpointDialogProps } from './dialog-props.ts';
import { EditDialog } from './edit-dialog.tsx';
import { deleteEndpoint } from './query.ts';
import { RotateDialog } from './rotate-dialog.tsx';
import { TestDialog } from './test-dialog.tsx';

const { webhooks } = texts;

type ActionsProps = { readonly endpoint: Endpoint; readonly onChanged: () => void };

/** The acts on an endpoint, for those who may change it. */
export function Actions({ endpoint, onChanged }: ActionsProps) {
  const { act: words } = webhooks;
  const [open, setOpen] = useState<'test' | 'edit' | 'rotate' | 'delete' | null>(null);
  const act = useAct();
  const toast = useToast();
  const close = (): void => setOpen(null);
  const isDisabled = endpoint.state === 'DISABLED';
  const toggle = (): void =>
    act.run(
      () => updateEndpoint(endpoint.id, { active: isDisabled }),
      () => {
        toast('good', isDisabled ? words.enabled : words.disabled);
        onChanged();
      },
    );
  if (!useMay('webhook-subscriptions.write')) return null;
  const props = { endpoint, onClose: close, onChanged };
  return (
    <div className="actions">
      {act.error !== null && <Problem error={act.error} />}
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
          {
            name: isDisabled ? words.enable : words.disable,
            icon: isDisabled ? 'play' : 'pause',
            act: toggle,
          },
          { name: words.delete, icon: 'trash', act: () => setOpen('delete'), isDanger: true },
        ]}
      />
      {open === 'test' && <TestDialog {...props} />}
      {open === 'edit' && <EditDialog {...props} />}
      {open === 'rotate' && <RotateDialog {...props} />}
      {open === 'delete' && <DeleteDialog {...props} />}
    </div>
  );
}

function DeleteDialog({ endpoint, onClose }: EndpointDialogProps) {
  const { delete: words, act: acts } = webhooks;
  return (
    <ConfirmDialog
      words={words}
      text={words.text}
      said={acts.deleted}
      summary={[[words.endpoint, endpoint.url]]}
      run={() => deleteEndpoint(endpoint.id)}
      onDone={() => go('webhooks', { replace: true })}
      onClose={onClose}
    />
  );
}
