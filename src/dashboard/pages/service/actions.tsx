import { useState } from 'react';
import { useAct } from '../../app/act.ts';
import { useMay, useSession } from '../../app/session-context.tsx';
import { Button } from '../../design/button.tsx';
import { MoreMenu } from '../../design/more-menu.tsx';
import { Problem } from '../../design/problem.tsx';
import { useToast } from '../../design/toast.tsx';
import { texts } from '../../texts/texts.ts';
import { hasFeature, updateService, type Service } from '../services/query.ts';
import { DeleteDialog, OffDialog } from './confirm-dialogs.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { verifyService } from './query.ts';
import { TestDialog } from './test-dialog.tsx';
import { canTest } from './test-form.ts';

const { act: words } = texts.services;

type ActionsProps = { readonly service: Service; readonly onChanged: () => void };

/** The acts on a payment service that the person's role allows. */
export function Actions({ service, onChanged }: ActionsProps) {
  const mayWrite = useMay('payment-services.write');
  const mayPay = useMay('transactions.write');
  const { environment } = useSession();
  if (service.isDeleted) return null;
  return (
    <div className="actions">
      {mayWrite && <Changes service={service} onChanged={onChanged} />}
      {mayPay && environment === 'sandbox' && canTest(service) && <Test service={service} />}
    </div>
  );
}

function Test({ service }: Pick<ActionsProps, 'service'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="play" look="primary" onPress={() => setOpen(true)}>
        {texts.services.test.open}
      </Button>
      {isOpen && <TestDialog service={service} onClose={() => setOpen(false)} />}
    </>
  );
}

function Changes({ service, onChanged }: ActionsProps) {
  const { definition, active } = service;
  const [open, setOpen] = useState<'edit' | 'off' | 'delete' | null>(null);
  const act = useAct();
  const toast = useToast();
  const props = { service, onClose: () => setOpen(null), onChanged };
  const enable = (): void =>
    act.run(
      () => updateService(service.id, { active: true }),
      () => {
        toast('good', words.on);
        onChanged();
      },
    );
  const verify = (): void =>
    act.run(
      () => verifyService(service.id),
      (checked) => {
        toast(checked?.status === 'ACTIVE' ? 'good' : 'bad', words.verified[checked?.status ?? 'PENDING']);
        onChanged();
      },
    );
  const canVerify = definition && hasFeature(definition, 'verify_credentials');
  return (
    <>
      {act.error !== null && <Problem error={act.error} />}
      {definition && (
        <Button icon="pencil" onPress={() => setOpen('edit')}>
          {words.edit}
        </Button>
      )}
      <MoreMenu
        label={words.more}
        items={[
          ...(canVerify ? [{ name: words.verify, icon: 'shield' as const, act: verify }] : []),
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
    </>
  );
}
