import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { useMay } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Problem } from '../../design/problem.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { updateService, type Service } from '../anti-fraud/query.ts';
import { DeleteDialog, EditDialog, OffDialog } from './dialogs.tsx';

const { act: words } = texts.services;

type ActionsProps = { readonly service: Service; readonly onChanged: () => void };

/** The acts on an anti-fraud service that the person's role allows. */
export function Actions({ service, onChanged }: ActionsProps) {
  const { active, definition } = service;
  const mayWrite = useMay('anti-fraud-services.write');
  const [open, setOpen] = useState<'edit' | 'off' | 'delete' | null>(null);
  const act = useAct();
  const toast = useToast();
  if (!mayWrite || service.isDeleted) return null;
  const props = { service, onClose: () => setOpen(null), onChanged };
  const enable = (): void =>
    act.run(
      () => updateService(service.id, { active: true }),
      () => {
        toast('good', texts.antiFraud.act.on);
        onChanged();
      },
    );
  return (
    <div className="actions">
      {act.error !== null && <Problem error={act.error} />}
      {definition && (
        <Button icon="pencil" onPress={() => setOpen('edit')}>
          {words.edit}
        </Button>
      )}
      <MoreMenu
        label={words.more}
        items={[
          {
            name: active ? words.turnOff : words.turnOn,
            icon: active ? 'pause' : 'play',
            act: active ? () => setOpen('off') : enable,
          },
          { name: words.delete, icon: 'trash', act: () => setOpen('delete'), isDanger: true },
        ]}
      />
      {open === 'edit' && definition && <EditDialog {...props} definition={definition} />}
      {open === 'off' && <OffDialog {...props} />}
      {open === 'delete' && <DeleteDialog {...props} />}
    </div>
  );
}
