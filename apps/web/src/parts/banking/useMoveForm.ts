import type * as z from 'zod';
import { useMay } from '../../client/session.ts';
import { type RecordsSpec, useRemove, useSave } from '../../records/records.ts';
import { type RecordFormOptions, useRecordForm } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import type { WithAttachments } from '../attachments/attachmentForm.ts';
import { useAttachments } from '../attachments/useAttachments.ts';

/** Properties of the modal of a transfer or a deposit. */
export interface MoveModalProps<Form> {
  /** 0 is a new one. */
  id: number;
  onClose: () => void;
  /** After it was saved or deleted; it closes by itself. */
  onDone?: (() => void) | undefined;
  /** Values of a new one, e.g. the account that it was opened from. */
  starts?: Partial<Form> | undefined;
}

/** The parts of a kind that its form is made of. */
interface MoveKind<One, Form, Body> extends Pick<
  RecordFormOptions<One & object, Form & object>,
  'formOf' | 'schema' | 'check'
> {
  of: Omit<RecordsSpec<One, One, Body>, 'list'>;
  reply: z.ZodType<One>;
  /** The word in front of its number. */
  label: string;
  numberOf: (one: One) => string;
  input: (form: Form, reason: string) => Body;
  /** After a save that was refused. */
  onRefused?: () => void;
}

/** The form of a transfer or a deposit with its files; saved or deleted, it closes. */
export function useMoveForm<One extends { rowVersion: number }, Form extends WithAttachments, Body>(
  { of, label, numberOf, input, onRefused, ...kind }: MoveKind<One, Form, Body>,
  { id, saved, onClose, onDone }: MoveModalProps<Form> & { saved: One | undefined },
) {
  const alerts = useAlerts();
  const save = useSave<One, Body>(of);
  const files = useAttachments();
  const name = saved === undefined ? `New ${label}` : `${label} ${numberOf(saved)}`;
  const done = () => {
    onClose();
    onDone?.();
  };
  const form = useRecordForm<One, Form>({
    ...kind,
    name: label.toLowerCase(),
    id,
    saved,
    send: async (typed, { place, reason }) => {
      try {
        return await save(id, input(typed, reason), place);
      } catch (error) {
        onRefused?.();
        throw error;
      }
    },
    before: files.before,
    onFaults: files.onFaults,
    remove: useRemove(of),
    words: {
      saved: (one) => `${label} ${numberOf(one)} saved`,
      create: of.words.create,
      update: of.words.update,
    },
    onSaved: done,
    onRemoved: () => {
      alerts.success(`${name} deleted`);
      done();
    },
    isReadOnly: !useMay()('Manage Banking'),
  });
  return { form, files, name };
}
