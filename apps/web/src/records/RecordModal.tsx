import { type KeyboardEvent, type ReactNode, useEffect } from 'react';
import { TextField } from '../ui/fields/TextField.tsx';
import { AppModal, type AppModalProps } from '../ui/overlay/AppModal.tsx';
import type { FooterBarProps } from '../ui/overlay/FooterBar.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { FormErrorSummary } from '../ui/show/FormErrorSummary.tsx';
import { isKey } from '../ui/keys/keys.ts';
import type { Read } from '../client/api.ts';
import { INACTIVE } from './active.tsx';
import { ClosedEffects, EFFECTS, type Effects, EffectsPanel, useEffects } from './Effects.tsx';
import { FoldedHistory, historyOf } from './History.tsx';
import { StaleChoice } from './StaleChoice.tsx';
import type { RecordForm } from './useRecordForm.ts';

type ModalFacts = 'title' | 'beside' | 'tools' | 'size' | 'grows' | 'aside' | 'onClose';

export interface RecordModalProps<Form> extends Pick<AppModalProps, ModalFacts> {
  form: RecordForm<Form>;
  /** The confirmation question for Delete, for example `Delete Harbor Bakery?` */
  question?: string | undefined;
  /** False disables Save, for example until the name is filled in. */
  canSave?: boolean;
  /** The footer to use instead of the form's own, or null for no footer. */
  footer?: FooterBarProps | null | undefined;
  /** Content above everything else, for example the tabs of the record. */
  head?: ReactNode;
  children: ReactNode;
}

/** Returns the footer of an editable form: Save and, for a saved record, Delete with confirmation. */
export function recordFooter<Form>(form: RecordForm<Form>, question?: string, canSave = true): FooterBarProps {
  const { remove, busy } = form;
  const deleting = remove === undefined || question === undefined ? undefined : { question, onConfirm: remove, busy };
  return { primary: { label: 'Save', onClick: form.save, busy, disabled: !canSave }, remove: deleting };
}

/**
 * Returns the footer for the record's state: only Restore for an inactive record, and none for users with only view
 * permission.
 */
function footerOf<Form>({ form, question, canSave }: RecordModalProps<Form>): FooterBarProps | undefined {
  const { restore, busy, isReadOnly } = form;
  if (restore !== undefined) return { primary: { label: 'Restore', onClick: restore, busy } };
  return isReadOnly ? undefined : recordFooter(form, question, canSave);
}

/**
 * The modal for a record's form. It shows errors above the fields, the choice between conflicting versions, the reason
 * for changing a closed period, and the footer. If there are unsaved changes, closing asks first.
 */
export function RecordModal<Form>(props: RecordModalProps<Form>) {
  const { form, question: _, canSave: __, footer, onClose, head, children, beside, ...modal } = props;
  const mark = beside ?? (form.isInactive && INACTIVE);
  const shown = (footer === undefined ? footerOf(props) : footer) ?? undefined;
  const { dirty, reset, subject, values } = form;
  const history = historyOf(subject);
  const effects = useEffects(form);
  const isShown = effects?.shown !== undefined;
  const aside = isShown ? <EffectsPanel effects={effects} values={values} /> : modal.aside;
  const foot = effects === undefined || shown === undefined ? shown : withEffects(shown, effects);
  const onKey = (event: KeyboardEvent) => {
    if (effects === undefined || !event.shiftKey || !isKey(event, 'effects')) return;
    event.preventDefault();
    event.stopPropagation();
    effects.ask();
  };
  return (
    <AppModal
      opened
      {...modal}
      {...{ dirty, onClose, aside }}
      beside={mark}
      onDiscard={reset}
      footer={foot}
      onKey={onKey}
    >
      {head}
      <div className="ek-stack">
        <FormErrorSummary problems={form.problems.map((message) => ({ message }))} />
        {form.stale !== undefined && <StaleChoice onTheirs={form.stale.theirs} onMine={form.stale.mine} />}
        {form.closed !== undefined && <ClosingReason value={form.closed.reason} onChange={form.closed.setReason} />}
        {effects !== undefined && form.closed?.rehearse !== undefined && (
          <ClosedEffects rehearse={form.closed.rehearse} />
        )}
        {children}
        {history !== undefined && <FoldedHistory {...history} />}
      </div>
    </AppModal>
  );
}

/** Adds the action that shows the effects of saving. */
function withEffects(footer: FooterBarProps, effects: Effects): FooterBarProps {
  const action = { label: EFFECTS, onClick: effects.ask, quiet: true };
  return { ...footer, actions: [action, ...(footer.actions ?? [])] };
}

const REASON = 'closing-reason';

/** An administrator's reason for a change on or before the closing date. It is recorded in the audit log. */
export function ClosingReason({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  // Unlike `autoFocus`, an effect runs after the error summary has taken the focus.
  useEffect(() => document.getElementById(REASON)?.focus(), []);
  const hint = 'The reason is saved in the audit log. Enter a reason and save again.';
  const label = 'Reason for Changing Closed Books';
  return <TextField {...{ id: REASON, label, hint, value, onChange }} maxLength={500} />;
}

export interface LoadedModalProps<One> extends Pick<AppModalProps, 'title' | 'size' | 'grows' | 'aside' | 'onClose'> {
  /** The ID of the record. 0 for a new record, which isn't loaded. Omitted if records can't be created here. */
  id?: number;
  read: Read<One>;
  children: (one: One | undefined) => ReactNode;
}

/** Loads the record and shows it in a modal. The loading and error states have the same size. */
export function LoadedModal<One>({ id, read, children, ...modal }: LoadedModalProps<One>) {
  if (id === 0) return children(undefined);
  if (read.value !== undefined) return children(read.value);
  return (
    <AppModal opened {...modal}>
      {read.error === undefined ? <Waiting /> : <ErrorState message={read.error} onRetry={read.retry} />}
    </AppModal>
  );
}

/** The loading state of a modal, about as high as a form. */
export function Waiting() {
  return (
    <p className="ek-modal-wait" role="status">
      Loading...
    </p>
  );
}
