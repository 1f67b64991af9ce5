import './documents.css';
import type { FieldMessages } from '@evenkeel/core/failure';
import type { Cents } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { type ComponentType, type KeyboardEvent, type ReactNode, type RefObject, useRef } from 'react';
import type * as z from 'zod';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { type RecordsSpec, useOne, useRemove, useSave } from '../../records/records.ts';
import {
  type RecordForm,
  type RecordFormOptions,
  type Shape,
  telling,
  useRecordForm,
} from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { useWide } from '../../ui/hooks/media.ts';
import type { LineColumn, LineTableHandle, LineTableProps } from '../../ui/lines/lineColumns.ts';
import { LineTable } from '../../ui/lines/LineTable.tsx';
import type { FooterAction } from '../../ui/overlay/FooterBar.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { InvoiceBadge } from '../badges.tsx';
import type { DocumentRow } from './documentColumns.tsx';
import { Kept } from './Kept.tsx';
import {
  type AnyForm,
  type DocumentForm,
  type DocumentLine,
  draftOf,
  overTheirs,
  settled,
  withLine,
  withoutLine,
  workOf,
} from './lineForm.ts';

/** Fields of the saved invoice or bill that its form needs. */
interface SavedDocument extends Pick<DocumentRow, 'badge' | 'daysOverdue'> {
  id: number;
  invoiceNumber: string;
  lineItems: readonly { id: number }[];
  rowVersion: number;
}

export interface DocumentEntryProps<One> {
  /** 0: a new one. */
  invoiceId: number;
  onClose: () => void;
  onSaved: (invoice: One) => void;
  onDeleted: () => void;
  /** Pay Invoice, after saving what was changed. */
  onPay: (invoice: One) => void;
}

export interface EntryModalProps<One> extends DocumentEntryProps<One> {
  title: string;
  /** Undefined for a new one. */
  saved: One | undefined;
}

export interface DocumentEntryOptions<One, Form, Body> extends Omit<DocumentEntryProps<One>, 'invoiceId' | 'onClose'> {
  /** The subject of the draft. */
  name: string;
  kind: Omit<RecordsSpec<never, One, Body>, 'list' | 'idOf'> & { idOf: (one: One) => number };
  saved: One | undefined;
  formOf: (saved: One | undefined) => Form;
  schema: Shape<Form> & { shape: object };
  reply: z.ZodType<One>;
  check: (form: Form) => FieldMessages;
  /** The request of a form that was checked; `reason` is that for changing closed books. */
  input: (form: Form, id: number, reason: string) => Body;
  /** The form's names of the request's paths, where they differ. */
  places?: Readonly<Record<string, string>>;
  isPayable: (saved: One) => boolean;
  /** Whether there is something to save; always unless given. */
  isChanged?: (form: Form) => boolean;
  /** Its files: what is done before it is sent, and the tab of what is wrong (useAttachments). */
  files?: Pick<RecordFormOptions<One & object, Form & object>, 'before' | 'onFaults'>;
  /** Asked before saving; false stops it, so that the person can be told something first. */
  ask?: (form: Form) => Promise<boolean>;
}

/** The form of a kind of document by its id, once the document is read. */
export function documentEntry<One>(
  kind: Pick<RecordsSpec<never, One, never>, 'get' | 'words'>,
  title: string,
  Modal: ComponentType<EntryModalProps<One>>,
) {
  return function Entry(props: DocumentEntryProps<One>) {
    const { invoiceId, onClose } = props;
    return (
      <LoadedModal id={invoiceId} read={useOne(kind, invoiceId)} title={title} size="xl" onClose={onClose}>
        {(saved) => <Modal {...props} title={title} saved={saved} />}
      </LoadedModal>
    );
  };
}

const BELOW_HEAD: readonly string[] = ['lines', 'working', 'removed', 'rowVersion', 'documentLinks'];

/** The fields of a form above its lines. */
function headOf({ shape }: { shape: object }): string[] {
  return Object.keys(shape).filter((name) => !BELOW_HEAD.includes(name));
}

/** `lineItems.1.description` → "Line 2: ". */
function lineOf(path: string): string {
  const [, index] = /^lineItems\.(\d+)\./.exec(path) ?? [];
  return index === undefined ? '' : `Line ${Number(index) + 1}: `;
}

/** The state of the form of an invoice or bill: draft, save, pay after saving, delete. */
export function useDocumentEntry<One extends SavedDocument, Form extends AnyForm, Body>(
  options: DocumentEntryOptions<One, Form, Body>,
) {
  const { kind, saved, places = {}, input, check, onPay, onSaved, onDeleted, isPayable } = options;
  const id = saved?.id ?? 0;
  const lines = useRef<LineTableHandle>(null);
  const isPaying = useRef(false);
  const alerts = useAlerts();
  const save = useSave<One, Body>(kind);
  const form = useRecordForm<One, Form>({
    name: options.name,
    id,
    saved,
    formOf: options.formOf,
    schema: draftOf(options.schema),
    check: (typed) => check(settled(typed)),
    placed: (fields) => Object.fromEntries(Object.entries(fields).map(([path, text]) => [places[path] ?? path, text])),
    send: (typed, { place, reason }) => save(id, input(settled(typed), id, reason), place),
    remove: useRemove(kind),
    over: overTheirs,
    ...(options.files && { before: options.files.before, onFaults: options.files.onFaults }),
    reply: options.reply,
    words: {
      saved: (one) => `Invoice ${one.invoiceNumber} saved`,
      create: kind.words.create,
      update: kind.words.update,
    },
    onSaved: (one) => (isPaying.current && isPayable(one) ? onPay(one) : onSaved(one)),
    onRemoved: () => {
      alerts.success(`Invoice ${saved?.invoiceNumber ?? ''} deleted`);
      onDeleted();
    },
  });
  const canSave = options.isChanged?.(form.values) ?? true;
  const isAsking = useRef(false);
  const saveAsked = async () => {
    if (isAsking.current) return;
    isAsking.current = true;
    // A record that is found may be the one that was sent before; a question without an answer is left to the save
    // itself.
    const goesOn = form.isTried() || (await options.ask?.(form.values).catch(() => true));
    isAsking.current = false;
    if (goesOn !== false) form.save();
  };
  /** Saves what is typed, the line in work included; `pays` goes on to its payment. */
  const send = (pays: boolean) => {
    if (form.busy || (form.values.working !== null && lines.current?.settle() === false)) return;
    isPaying.current = pays;
    if (pays && saved !== undefined && !(form.dirty && canSave)) onPay(saved);
    else if (canSave) void saveAsked();
  };
  const pay: FooterAction[] =
    saved !== undefined && isPayable(saved)
      ? [{ label: 'Pay Invoice', onClick: () => send(true), disabled: form.busy }]
      : [];
  return { form, saved, lines, send, canSave, pay, head: headOf(options.schema) };
}

export interface DocumentEntryState<One, Form> {
  form: RecordForm<Form>;
  saved: One | undefined;
  lines: RefObject<LineTableHandle | null>;
  send: (pays: boolean) => void;
  canSave: boolean;
  pay: readonly FooterAction[];
  /** Fields of the head, which show their own messages. */
  head: readonly string[];
}

export interface DocumentModalProps<One, Form> {
  entry: DocumentEntryState<One, Form>;
  title: string;
  onClose: () => void;
  /** Before Pay Invoice. */
  actions?: readonly FooterAction[];
  words?: { save: string; remove: string };
  /** Undefined while it is not known. */
  total: Cents | undefined;
  /** Above everything: the tabs. */
  tabs?: ReactNode;
  children: ReactNode;
}

const WORDS = { save: 'Save', remove: 'Delete' };

/** The modal of an invoice or bill: its footer has Delete, Pay Invoice, Save, and the total in sight. */
export function DocumentModal<One extends SavedDocument, Form>(props: DocumentModalProps<One, Form>) {
  const { entry, title, onClose, actions = [], words = WORDS, total, tabs, children } = props;
  const { form, saved, send, canSave, pay, head } = entry;
  const { remove, ...footer } = recordFooter(form, `Delete invoice ${saved?.invoiceNumber ?? ''}?`);
  return (
    <RecordModal
      form={telling(form, head, (path, text) => `${lineOf(path)}${text}`)}
      title={title}
      size="xl"
      onClose={onClose}
      head={tabs}
      beside={
        <>
          {saved !== undefined && <InvoiceBadge invoice={saved} />}
          <Kept at={form.savedAt} />
        </>
      }
      footer={{
        ...footer,
        remove: remove && { ...remove, label: words.remove },
        primary: { label: words.save, onClick: () => send(false), busy: form.busy, disabled: !canSave },
        actions: [...actions, ...pay],
        // In sight however many lines there are.
        total: <FootTotal value={total} />,
      }}
    >
      {children}
    </RecordModal>
  );
}

function FootTotal({ value }: { value: Cents | undefined }) {
  return (
    <>
      <span className="ek-second">Invoice Total</span>
      <span className="ek-semi">{value === undefined ? NOTHING : <Amount value={value} sign />}</span>
    </>
  );
}

export interface DocumentLinesProps<Line, Form> extends Pick<
  LineTableProps<Line>,
  'card' | 'addLabel' | 'below' | 'twoRows' | 'amountOf'
> {
  entry: DocumentEntryState<object, Form>;
  columns: readonly LineColumn<Line>[];
  /** A new line after those. */
  blank: (before: readonly Line[]) => Line;
  /** Nothing is in it but perhaps a description. */
  isBlank: (line: Line) => boolean;
  faultsOf: (line: Line) => FieldMessages;
}

/** The line table; what is in work is in the form too. A new document begins with a line in work. */
export function DocumentLines<Line extends DocumentLine, Form extends DocumentForm<Line>>(
  props: DocumentLinesProps<Line, Form>,
) {
  const { entry, columns, blank, isBlank, faultsOf, card, addLabel, below, twoRows, amountOf } = props;
  const { form, lines, saved, send } = entry;
  const { values, onChange } = form;
  const wide = useWide();
  // Tab has begun one more line and nothing is in it: Ctrl+Enter then saves what is there, without that line.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const saves = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!saves || !wide || values.working !== null) return;
    event.stopPropagation();
    send(false);
  };
  return (
    <div onKeyDownCapture={onKeyDownCapture}>
      <LineTable<Line>
        ref={lines}
        label="Line items"
        columns={columns}
        twoRows={twoRows}
        amountOf={amountOf}
        lines={values.lines}
        lineId={(line) => String(line.id)}
        blank={blank}
        validate={faultsOf}
        onCommit={(line) => onChange({ ...values, lines: withLine(values.lines, line), working: null })}
        onRemove={(line) => onChange(withoutLine(values, line.id))}
        addLabel={addLabel}
        card={card}
        below={below}
        startNew={saved === undefined && wide && values.lines.length === 0}
        onWork={(line) => {
          const working = workOf(line, values.lines, isBlank);
          if (working !== values.working) onChange({ ...values, working });
        }}
      />
    </div>
  );
}
