import '../documents.css';
import type { LineRequirements } from '@evenkeel/core/documents/invoice';
import type { Cents } from '@evenkeel/core/money';
import { capital } from '@evenkeel/core/documents/side';
import { NOTHING } from '@evenkeel/core/nothing';
import {
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useMemo,
  useRef,
} from 'react';
import { LoadedModal, recordFooter, RecordModal } from '../../../records/RecordModal.tsx';
import { useEntityAsked } from '../../../records/openRecord.ts';
import { type RecordsSpec, useOne, useRemove, useSave } from '../../../records/records.ts';
import { type RecordForm, type RecordFormOptions, telling, useRecordForm } from '../../../records/useRecordForm.ts';
import { useSaveAsked } from '../../../records/warnFirst.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { useWide } from '../../../ui/hooks/media.ts';
import { useToday } from '../../../ui/hooks/today.tsx';
import type { LineTableHandle, LineTableProps } from '../../../ui/lines/lineColumns.ts';
import { LineTable } from '../../../ui/lines/LineTable.tsx';
import type { FooterAction } from '../../../ui/overlay/FooterBar.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import type { WithAttachments } from '../../attachments/attachmentForm.ts';
import { AttachmentPane, AttachmentTabs } from '../../attachments/AttachmentTabs.tsx';
import { ReceiptPane } from '../../attachments/ReceiptPane.tsx';
import { type Attachments, useBegunWith } from '../../attachments/useAttachments.ts';
import { InvoiceBadge } from '../../badges.tsx';
import type { DocumentRow } from '../list/documentColumns.tsx';
import { DocumentTotals, type DocumentTotalsProps } from './DocumentTotals.tsx';
import type { EntryKind } from './entryKind.ts';
import { Kept } from './Kept.tsx';
import {
  type DocumentForm,
  type DocumentLine,
  draftOf,
  overTheirs,
  settled,
  withLine,
  withoutLine,
  workOf,
} from './lineForm.ts';
import { useTerms } from './terms.ts';
import { type DocumentSide, titled } from '../side.ts';
import { isKey } from '../../../ui/keys/keys.ts';
import { useWithDimensions } from '../../choices/dimensions.ts';

/** The fields of a saved invoice or bill that its form needs. */
interface SavedDocument extends Pick<DocumentRow, 'badge' | 'daysOverdue'> {
  id: number;
  invoiceNumber: string;
  lineItems: readonly { id: number; deleted: boolean }[];
  rowVersion: number;
}

export interface DocumentEntryProps<One> {
  /** 0 for a new document. */
  invoiceId: number;
  /** The ID of the document that a new one is copied from. */
  copyOf?: number | undefined;
  /** The customer or vendor for a new document, if it is known. */
  entityId?: number | undefined;
  onClose: () => void;
  onSaved: (invoice: One) => void;
  onDeleted: () => void;
  /** Called after the user selects Pay Invoice and changes have been saved. */
  onPay: (invoice: One) => void;
  /** Called after saving, to send the document by email. Omitted if this type of document isn't sent. */
  onSend?: ((invoice: One) => void) | undefined;
  /** Returns the files that are attached to a new document when it opens. Only the first call returns them. */
  takeFiles?: (() => readonly File[]) | undefined;
}

export interface EntryModalProps<One> extends DocumentEntryProps<One> {
  /** Undefined for a new document. */
  saved: One | undefined;
  /** The document that a new one is copied from. */
  copied?: One | undefined;
}

/** The form for a document type, with the document that is open in it. */
interface EntryOptions<One, Form> {
  /** The dimensions that a line requires. */
  required: LineRequirements;
  /** The attachments from useAttachments, which uploads them before saving and opens their tab on an error. */
  files?: Pick<RecordFormOptions<One & object, Form & object>, 'before' | 'onFaults'>;
  /** Called before saving, for example to ask the user to confirm. Returning false stops the save. */
  ask?: (form: Form) => Promise<boolean>;
}

/**
 * Creates the form component for a document type, which loads the document by its ID. `aside` reserves the space for
 * attachments.
 */
export function documentEntry<One>(
  { records, title }: { records: Pick<RecordsSpec<never, One, never>, 'get' | 'words'>; title: string },
  Modal: ComponentType<EntryModalProps<One>>,
  aside?: ReactNode,
) {
  return function Entry(props: DocumentEntryProps<One>) {
    const { invoiceId, copyOf, onClose } = props;
    const id = copyOf ?? invoiceId;
    const asked = useEntityAsked();
    const entityId = props.entityId ?? (id === 0 ? asked : undefined);
    const beside = useWide() ? aside : undefined;
    const modal = { title, onClose, size: 'xl', aside: beside } as const;
    return (
      <LoadedModal {...useWithDimensions(id, useOne(records, id))} {...modal}>
        {(one) =>
          copyOf === undefined ? (
            <Modal {...props} entityId={entityId} saved={one} />
          ) : (
            <Modal {...props} saved={undefined} copied={one} />
          )
        }
      </LoadedModal>
    );
  };
}

const BELOW_HEAD: readonly string[] = ['lines', 'working', 'removed', 'rowVersion', 'documentLinks'];

/** Returns the names of the form fields above the lines. */
function headOf({ shape }: { shape: object }): string[] {
  return Object.keys(shape).filter((name) => !BELOW_HEAD.includes(name));
}

/** Adds the line number before a message. For `lineItems.1.description`, for example, adds "Line 2: ". */
function lineOf(path: string): string {
  const [, index] = /^lineItems\.(\d+)\./.exec(path) ?? [];
  return index === undefined ? '' : `Line ${Number(index) + 1}: `;
}

/** The next step after saving: the document's panel, its payment, or its email. */
type Next = 'panel' | 'pay' | 'send';

/**
 * Returns the name of a new document's draft. A copy has its own draft, and so does a document for a known customer or
 * vendor.
 */
function draftNameOf(
  { draft, side }: { draft: string; side: Pick<DocumentSide, 'core'> },
  { entityId, copyOf }: { entityId: number | undefined; copyOf: number | undefined },
): string {
  if (copyOf !== undefined) return `${draft}:copy ${copyOf}`;
  return entityId === undefined ? draft : `${draft}:${side.core.words.entity} ${entityId}`;
}

/** Manages the form for an invoice or bill: its draft, saving, paying after saving, and deleting. */
export function useDocumentEntry<
  One extends SavedDocument,
  Form extends DocumentForm<Line>,
  Line extends DocumentLine,
  Body,
>(
  kind: EntryKind<One, Form, Line, Body>,
  { saved, copied, entityId, onClose, onPay, onSend, onSaved, onDeleted, takeFiles }: EntryModalProps<One>,
  { required, files, ask }: EntryOptions<One, Form>,
) {
  const { records, places = {}, isPayable } = kind;
  const id = saved?.id ?? 0;
  const today = useToday();
  const lines = useRef<LineTableHandle>(null);
  const goesOn = useRef<Next>('panel');
  const alerts = useAlerts();
  const save = useSave<One, Body>(records);
  // Memoized, because a document can have hundreds of lines and the value is read with every key press.
  const stored = useMemo(
    () => (saved === undefined ? kind.blank(today, entityId) : kind.formOf(saved)),
    [kind, saved, today, entityId],
  );
  const begun = useMemo(
    () => (copied === undefined ? stored : kind.copyOf(copied, today)),
    [kind, copied, stored, today],
  );
  const form = useRecordForm<One, Form>({
    name: draftNameOf(kind, { entityId, copyOf: copied?.id }),
    id,
    saved,
    formOf: (one) => (one === undefined || one === saved ? begun : kind.formOf(one)),
    schema: draftOf(kind.schema),
    check: (typed) => kind.faults(settled(typed), required),
    placed: (fields) => Object.fromEntries(Object.entries(fields).map(([path, text]) => [places[path] ?? path, text])),
    send: (typed, { place, reason }) => save(id, kind.input(settled(typed), id, reason), place),
    posts: kind.posts === true,
    remove: useRemove(records),
    over: overTheirs,
    ...(files && { before: files.before, onFaults: files.onFaults }),
    reply: kind.reply,
    words: {
      saved: (one) => `${capital(kind.noun)} ${one.invoiceNumber} saved`,
      create: records.words.create,
      update: records.words.update,
    },
    onSaved: (one) => {
      if (goesOn.current === 'pay' && isPayable(one)) onPay(one);
      else (goesOn.current === 'send' ? (onSend ?? onSaved) : onSaved)(one);
    },
    onRemoved: () => {
      alerts.success(`${capital(kind.noun)} ${saved?.invoiceNumber ?? ''} deleted`);
      onDeleted();
    },
  });
  const terms = useTerms(kind.side, kind.entityId(form.values));
  const canSave = kind.isChanged(form.values, stored, terms);
  const saveAsked = useSaveAsked(form, ask);
  /** Saves the form, including the unfinished line, and continues with `next`. */
  const send = (next: Next) => {
    if (form.busy || (form.values.working !== null && lines.current?.settle() === false)) return;
    goesOn.current = next;
    if (next !== 'panel' && saved !== undefined && !(form.dirty && canSave)) (next === 'pay' ? onPay : onSend)?.(saved);
    else if (canSave) void saveAsked();
  };
  const pay: FooterAction[] =
    saved !== undefined && isPayable(saved)
      ? [{ label: `Pay ${capital(kind.noun)}`, onClick: () => send('pay'), disabled: form.busy }]
      : [];
  return { kind, form, saved, lines, send, canSave, pay, terms, required, onClose, takeFiles };
}

export interface DocumentEntryState<One, Form extends DocumentForm<Line>, Line extends DocumentLine> {
  kind: Pick<
    EntryKind<SavedDocument, Form, Line, never>,
    | 'title'
    | 'words'
    | 'noun'
    | 'schema'
    | 'side'
    | 'entityId'
    | 'hasDiscount'
    | 'withDate'
    | 'blankLine'
    | 'lineStarts'
    | 'isBlankLine'
    | 'lineFaults'
  >;
  form: RecordForm<Form>;
  saved: One | undefined;
  lines: RefObject<LineTableHandle | null>;
  send: (next: Next) => void;
  canSave: boolean;
  pay: readonly FooterAction[];
  /** The number of days until the document is due, unless the user has entered a due date. */
  terms: number;
  required: LineRequirements;
  onClose: () => void;
  takeFiles: (() => readonly File[]) | undefined;
}

export interface DocumentModalProps<One, Form extends DocumentForm<Line>, Line extends DocumentLine> {
  entry: DocumentEntryState<One, Form, Line>;
  /** The actions that come before Pay Invoice. */
  actions?: readonly FooterAction[];
  /** The totals below the lines. `problem` is the reason why there are none. */
  totals: DocumentTotalsProps & { problem?: string | undefined };
  children: ReactNode;
}

/** The modal for an invoice or bill. Its footer shows Delete, Pay Invoice, Save, and the total. */
export function DocumentModal<One extends SavedDocument, Form extends DocumentForm<Line>, Line extends DocumentLine>({
  totals,
  children,
  below,
  ...modal
}: DocumentModalProps<One, Form, Line> & { below?: ReactNode }) {
  return (
    <ModalFrame {...modal} total={totals.total}>
      <div className="ek-stack">
        {children}
        <Below {...totals} />
        {below}
      </div>
    </ModalFrame>
  );
}

interface AttachedModalProps<
  One,
  Form extends DocumentForm<Line> & WithAttachments,
  Line extends DocumentLine,
> extends DocumentModalProps<One, Form, Line> {
  files: Attachments;
}

/**
 * The modal for a document with attachments. The attachments have their own tab and, from 1224 px on, also appear next
 * to the form.
 */
export function AttachedDocumentModal<
  One extends SavedDocument,
  Form extends DocumentForm<Line> & WithAttachments,
  Line extends DocumentLine,
>({ files, totals, children, ...modal }: AttachedModalProps<One, Form, Line>) {
  const { form, kind } = modal.entry;
  useBegunWith(form, files, modal.entry.takeFiles);
  const tabs = <AttachmentTabs main={capital(kind.noun)} form={form} files={files} />;
  const aside = files.isBeside ? <ReceiptPane form={form} files={files} /> : undefined;
  return (
    <ModalFrame {...modal} {...{ tabs, aside }} total={totals.total}>
      <AttachmentPane form={form} files={files}>
        {children}
        <Below {...totals} />
      </AttachmentPane>
    </ModalFrame>
  );
}

function Below({ problem, ...totals }: DocumentModalProps<never, never, never>['totals']) {
  return (
    <div className="dc-below">
      <div>
        <DocumentTotals {...totals} />
        {problem !== undefined && <p className="dc-late">{problem}</p>}
      </div>
    </div>
  );
}

interface FrameProps<One, Form extends DocumentForm<Line>, Line extends DocumentLine> extends Pick<
  DocumentModalProps<One, Form, Line>,
  'entry' | 'actions' | 'children'
> {
  total: Cents | undefined;
  /** Shown above all fields. */
  tabs?: ReactNode;
  aside?: ReactNode;
}

function ModalFrame<One extends SavedDocument, Form extends DocumentForm<Line>, Line extends DocumentLine>(
  props: FrameProps<One, Form, Line>,
) {
  const { entry, actions = [], total, tabs, aside, children } = props;
  const { kind, form, saved, send, canSave, pay, onClose } = entry;
  const { title, words, schema, noun } = kind;
  const { remove, ...footer } = recordFooter(form, `Delete ${noun} ${saved?.invoiceNumber ?? ''}?`);
  return (
    <RecordModal
      form={telling(form, headOf(schema), (path, text) => `${lineOf(path)}${text}`)}
      title={title}
      size="xl"
      onClose={onClose}
      head={tabs}
      aside={aside}
      beside={
        <>
          {saved !== undefined && <InvoiceBadge invoice={saved} />}
          <Kept at={form.savedAt} />
        </>
      }
      footer={{
        ...footer,
        remove: remove && { ...remove, label: words.remove },
        primary: { label: words.save, onClick: () => send('panel'), busy: form.busy, disabled: !canSave },
        actions: [...actions, ...pay],
        // The footer shows the total, so that the total stays visible even if there are many lines.
        total: <FootTotal label={`${titled(noun)} Total`} value={total} />,
      }}
    >
      {children}
    </RecordModal>
  );
}

function FootTotal({ label, value }: { label: string; value: Cents | undefined }) {
  return (
    <>
      <span className="ek-second">{label}</span>
      <span className="ek-semi">{value === undefined ? NOTHING : <Amount value={value} sign />}</span>
    </>
  );
}

export interface DocumentLinesProps<Form extends DocumentForm<Line>, Line extends DocumentLine> extends Pick<
  LineTableProps<Line>,
  'columns' | 'card' | 'addLabel' | 'below' | 'twoRows' | 'amountOf' | 'starts'
> {
  entry: DocumentEntryState<object, Form, Line>;
}

/** The table of lines, which includes the unfinished line. A new document starts with an empty line. */
export function DocumentLines<Form extends DocumentForm<Line>, Line extends DocumentLine>({
  entry,
  ...table
}: DocumentLinesProps<Form, Line>) {
  const { kind, form, lines, saved, send, required } = entry;
  const { values, onChange } = form;
  const validate = useCallback((line: Line) => kind.lineFaults(line, required), [kind, required]);
  const wide = useWide();
  // Pressing Tab adds an empty line. Ctrl+Enter saves the document without this line.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    if (!isKey(event, 'save') || !wide || values.working !== null) return;
    event.stopPropagation();
    send('panel');
  };
  return (
    <div onKeyDownCapture={onKeyDownCapture}>
      <LineTable<Line>
        {...table}
        ref={lines}
        label="Line items"
        lines={values.lines}
        lineId={(line) => String(line.id)}
        blank={(before) => kind.blankLine(before, values)}
        starts={table.starts ?? kind.lineStarts?.(values)}
        validate={validate}
        onCommit={(line) => onChange({ ...values, lines: withLine(values.lines, line), working: null })}
        onRemove={(line) => onChange(withoutLine(values, line.id))}
        startNew={saved === undefined && wide && values.lines.length === 0}
        startsUnfocused={kind.entityId(values) === null}
        onWork={(line) => {
          const working = workOf(line, values.lines, kind.isBlankLine);
          if (working !== values.working) onChange({ ...values, working });
        }}
      />
    </div>
  );
}
