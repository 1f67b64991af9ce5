import type { ReactNode } from 'react';
import { TextField } from '../ui/fields/TextField.tsx';
import { AppModal, type AppModalProps } from '../ui/overlay/AppModal.tsx';
import type { FooterBarProps } from '../ui/overlay/FooterBar.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { FormErrorSummary } from '../ui/show/FormErrorSummary.tsx';
import type { Read } from '../client/api.ts';
import { INACTIVE } from './active.tsx';
import { FoldedHistory, historyOf } from './History.tsx';
import { StaleChoice } from './StaleChoice.tsx';
import type { RecordForm } from './useRecordForm.ts';

type ModalFacts = 'title' | 'beside' | 'tools' | 'size' | 'aside' | 'onClose';

export interface RecordModalProps<Form> extends Pick<AppModalProps, ModalFacts> {
  form: RecordForm<Form>;
  /** `Delete Harbor Bakery?` The second step of Delete. */
  question?: string | undefined;
  /** False: Save waits, e.g. for a name. */
  canSave?: boolean;
  /** The footer, where it is not that of the form; null for none. */
  footer?: FooterBarProps | null | undefined;
  /** Above everything, e.g. the tabs of the record. */
  head?: ReactNode;
  children: ReactNode;
}

/** Save and, for a saved record, Delete in two steps: the footer of a form that can be changed. */
export function recordFooter<Form>(form: RecordForm<Form>, question?: string, canSave = true): FooterBarProps {
  const { remove, busy } = form;
  const deleting = remove === undefined || question === undefined ? undefined : { question, onConfirm: remove, busy };
  return { primary: { label: 'Save', onClick: form.save, busy, disabled: !canSave }, remove: deleting };
}

/** The footer by the record's life: Restore alone for an inactive one, nothing for who may only view. */
function footerOf<Form>({ form, question, canSave }: RecordModalProps<Form>): FooterBarProps | undefined {
  const { restore, busy, isReadOnly } = form;
  if (restore !== undefined) return { primary: { label: 'Restore', onClick: restore, busy } };
  return isReadOnly ? undefined : recordFooter(form, question, canSave);
}

/**
 * The modal of a record's form: what is wrong above the fields, whose version stays, the reason for changing closed
 * books, and the footer. Closing asks when something was typed.
 */
export function RecordModal<Form>(props: RecordModalProps<Form>) {
  const { form, question: _, canSave: __, footer, onClose, head, children, beside, ...modal } = props;
  const mark = beside ?? (form.isInactive && INACTIVE);
  const shown = (footer === undefined ? footerOf(props) : footer) ?? undefined;
  const { dirty, reset, subject } = form;
  const history = historyOf(subject);
  return (
    <AppModal opened {...modal} {...{ dirty, onClose }} beside={mark} onDiscard={reset} footer={shown}>
      {head}
      <div className="ek-stack">
        <FormErrorSummary problems={form.problems.map((message) => ({ message }))} />
        {form.stale !== undefined && <StaleChoice onTheirs={form.stale.theirs} onMine={form.stale.mine} />}
        {form.closed !== undefined && <ClosingReason value={form.closed.reason} onChange={form.closed.setReason} />}
        {children}
        {history !== undefined && <FoldedHistory {...history} />}
      </div>
    </AppModal>
  );
}

/** An administrator's reason for changing what lies on or before the closing date; it is kept in the audit log. */
export function ClosingReason({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  const hint = 'The reason is saved in the audit log. Enter it and save again.';
  const label = 'Reason for Changing Closed Books';
  return <TextField {...{ id: 'closing-reason', label, hint, value, onChange }} maxLength={500} autoFocus />;
}

export interface LoadedModalProps<One> extends Pick<AppModalProps, 'title' | 'size' | 'aside' | 'onClose'> {
  /** 0 is a new one: nothing is loaded for it. Absent: there is no new one. */
  id?: number;
  read: Read<One>;
  children: (one: One | undefined) => ReactNode;
}

/** Loads the record, then shows its modal; loading and failure have one of the same size. */
export function LoadedModal<One>({ id, read, children, ...modal }: LoadedModalProps<One>) {
  if (id === 0) return children(undefined);
  if (read.value !== undefined) return children(read.value);
  return (
    <AppModal opened {...modal}>
      {read.error === undefined ? <Waiting /> : <ErrorState message={read.error} onRetry={read.retry} />}
    </AppModal>
  );
}

/** In a modal of which the content is on its way; about as high as a form. */
export function Waiting() {
  return (
    <p className="ek-modal-wait" role="status">
      Loading...
    </p>
  );
}
