import { useState } from 'react';
import type { CreateWebhookEndpointInput } from '../../../../client/generated/schema.ts';
import { api } from '../../../app/data/api.ts';
import { go } from '../../../app/route.tsx';
import { optionsOf, SelectField } from '../../../design/form/field.tsx';
import { FormDialog, SecretDialog, type DialogProps } from '../../../design/form/form-dialog.tsx';
import { texts } from '../../../texts/texts.ts';
import { updateEndpoint, type Endpoint } from './endpoint.ts';
import { EndpointFields } from './fields.tsx';
import { inputOf, valuesOf } from './form.ts';

const { act: acts, add, rotate: words, secret: shown } = texts.webhooks;

/** A new endpoint. The API tells the secret only now. */
type Created = { readonly id: string; readonly secret: string | null };

/** Creates a webhook endpoint, and shows its secret once. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [values, setValues] = useState(() => valuesOf(null));
  const [created, setCreated] = useState<Created | null>(null);
  if (created) return <NewSecret secret={created.secret} onClose={() => go(`webhooks/${created.id}`)} />;
  return (
    <FormDialog
      title={add}
      isWide
      submit={add}
      isReady={values.url.trim() !== ''}
      run={(key) => createEndpoint(inputOf(values), key)}
      onDone={setCreated}
      onClose={onClose}
    >
      <EndpointFields values={values} onChange={setValues} />
    </FormDialog>
  );
}

async function createEndpoint(input: CreateWebhookEndpointInput, idempotencyKey: string): Promise<Created> {
  const selection = { webhookEndpointId: true, secret: true } as const;
  const { createWebhookEndpoint: created } = await api.mutate({
    createWebhookEndpoint: [{ input, idempotencyKey }, selection],
  });
  return { id: created.webhookEndpointId ?? '', secret: created.secret };
}

type SecretProps = { readonly secret: string | null; readonly onClose: () => void };

const NewSecret = ({ secret, onClose }: SecretProps) => (
  <SecretDialog
    {...{ secret, onClose, title: shown.title, done: shown.done, note: shown.use }}
    text={secret === null ? shown.lost : shown.text}
  />
);

/** The props of each dialog of an endpoint. */
export type EndpointDialogProps = DialogProps & { readonly endpoint: Endpoint };

/** Changes the values of an endpoint. */
export function EditDialog({ endpoint, ...ends }: EndpointDialogProps) {
  const [values, setValues] = useState(() => valuesOf(endpoint));
  return (
    <FormDialog
      title={acts.editTitle}
      isWide
      submit={acts.save}
      isReady={values.url.trim() !== ''}
      run={() => updateEndpoint(endpoint.id, inputOf(values))}
      said={acts.saved}
      {...ends}
    >
      <EndpointFields values={values} onChange={setValues} />
    </FormDialog>
  );
}

/** Minutes that the old secret stays live, shortest first. */
const OVERLAPS = ['0', '60', '1440', '10080'] as const satisfies readonly (keyof typeof words.overlaps)[];

/** Makes a new signing secret, and shows it once. */
export function RotateDialog({ endpoint: { id }, onClose }: EndpointDialogProps) {
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('1440');
  const [made, setMade] = useState<{ readonly secret: string | null } | null>(null);
  if (made) return <NewSecret secret={made.secret} onClose={onClose} />;
  const overlapMinutes = Number(overlap);
  return (
    <FormDialog
      title={words.title}
      submit={words.submit}
      run={(idempotencyKey) =>
        api.mutate({ rotateWebhookSecret: [{ id, overlapMinutes, idempotencyKey }, { secret: true }] })
      }
      onDone={({ rotateWebhookSecret }) => setMade(rotateWebhookSecret)}
      onClose={onClose}
    >
      <p className="quiet">{words.text}</p>
      <SelectField
        label={words.overlap}
        value={overlap}
        options={optionsOf(words.overlaps, OVERLAPS)}
        onChange={setOverlap}
      />
    </FormDialog>
  );
}
