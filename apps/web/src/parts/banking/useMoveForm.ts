import type * as z from 'zod';
import { useMay } from '../../client/session.ts';
import { type RecordsSpec, useRemove, useSave } from '../../records/records.ts';
import { type RecordFormOptions, useRecordForm } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import type { WithAttachments } from '../attachments/attachmentForm.ts';
import { useAttachments } from '../attachments/useAttachments.ts';

/** The props of the Transfer and Deposit modals. */
export interface MoveModalProps<Form> {
  /** The ID of the record. 0 for a new one. */
  id: number;
  onClose: () => void;
  /** Called after the record is saved or deleted. If omitted, the modal closes. */
  onDone?: (() => void) | undefined;
  /** The initial values of a new record, for example the account from which the form was opened. */
  starts?: Partial<Form> | undefined;
}

/** The functions that a form needs for its type of record. */
interface MoveKind<One, Form, Body> extends Pick<
  RecordFormOptions<One & object, Form & object>,
  'formOf' | 'schema' | 'check'
> {
  of: Omit<RecordsSpec<One, One, Body>, 'list'>;
  reply: z.ZodType<One>;
  /** The label before the record's number. */
  label: string;
  numberOf: (one: One) => string;
  input: (form: Form, reason: string) => Body;
  /** Called after the server rejects a save. */
  onRefused?: () => void;
}

/** Manages the form for a transfer or deposit and its attachments. The form closes after saving or deleting. */
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
    posts: true,
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
