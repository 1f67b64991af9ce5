import './entities.css';
import { COMPANY } from '@evenkeel/core/entities';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { countOf } from '../attachments/attachmentForm.ts';
import { type Attachments, useAttachments } from '../attachments/useAttachments.ts';
import { isActive, useManages } from '../../records/active.tsx';
import { useNameAsked } from '../../records/openRecord.ts';
import { LoadedModal, recordFooter, RecordModal } from '../../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../../records/records.ts';
import { restoreOf } from '../../records/useKeptForm.ts';
import { useSaveAsked } from '../../records/warnFirst.ts';
import { type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import type { FooterBarProps } from '../../ui/overlay/FooterBar.tsx';
import { TabPane } from '../../ui/page/TabPane.tsx';
import { neighbourTab, type Tab, TabsIn } from '../../ui/page/Tabs.tsx';
import { EntityForm, entityFormOf } from './entityForm.ts';
import { entityFaults, entityInput, type EntityTab, firstTabWithFault, placed, tabOf } from './entityInput.ts';
import { EntityEdit, EntityView } from './EntityTabs.tsx';
import { useNamesake } from './useNamesake.ts';
import { type AnyEntity, type EntityKind, hasAccount, hasContacts, labelOf, usePropertyDefinitions } from './kind.ts';

export interface EntityModalProps {
  kind: EntityKind;
  /** The ID of the record. 0 for a new one. */
  id: number;
  /** The tab on which the form opens for editing. If omitted, a saved record opens as read-only. */
  startsOn?: EntityTab | undefined;
  onClose: () => void;
  /** Called after each save with the record's ID. */
  onSaved: (id: number) => void;
  onDeleted: () => void;
}

/** The detail modal for a customer, vendor, or company. Loads the record first. */
export function EntityModal(props: EntityModalProps) {
  const { kind, id, onClose } = props;
  const read = useOne({ ...kind.records, words: { ...kind.records.words, loadOne: 'Error Loading Entity' } }, id);
  return (
    <LoadedModal id={id} read={read} title={labelOf(kind)} size="lg" onClose={onClose}>
      {(entity) => <LoadedEntity key={String(entity?.deleted)} {...props} entity={entity} />}
    </LoadedModal>
  );
}

interface LoadedProps extends EntityModalProps {
  /** Undefined for a new record. */
  entity: AnyEntity | undefined;
}

function LoadedEntity(props: LoadedProps) {
  const { kind, entity, onClose } = props;
  const idBase = useId();
  const work = useEntityWork(props);
  const { form, isEditing, tab, setTab } = work;
  const shownForm = isEditing || entity === undefined ? form.values : entityFormOf(entity);
  const tabs = tabsOf(kind, shownForm, form.fields);
  const pane = useRef<HTMLDivElement>(null);
  useFocusAfterEditing(pane, isEditing);
  const shown = tabs.some((each) => each.value === tab) ? tab : 'details';
  return (
    <RecordModal
      form={{ ...form, dirty: isEditing && form.dirty }}
      onClose={onClose}
      title={entity?.displayname ?? `New ${labelOf(kind)}`}
      size="lg"
      footer={footerOf(props, work)}
      head={<TabsIn place="modal" tabs={tabs} value={shown} onChange={setTab} label={labelOf(kind)} idBase={idBase} />}
    >
      {isEditing && work.warning !== undefined && <InlineAlert kind="Warning">{work.warning}</InlineAlert>}
      <TabPane idBase={idBase} value={shown} onSwipe={(step) => setTab(neighbourTab(tabs, shown, step))}>
        <div className="en-modal-pane" ref={pane} tabIndex={-1}>
          {isEditing || entity === undefined ? (
            <EntityEdit kind={kind} tab={shown} form={form} files={work.files} />
          ) : (
            <EntityView kind={kind} tab={shown} entity={entity} />
          )}
        </div>
      </TabPane>
    </RecordModal>
  );
}

/**
 * Save and Cancel Changes disappear when edit mode ends. The focus moves into the modal, so that its keyboard shortcuts
 * keep working.
 */
function useFocusAfterEditing(pane: RefObject<HTMLDivElement | null>, isEditing: boolean): void {
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) pane.current?.focus();
    wasEditing.current = isEditing;
  }, [pane, isEditing]);
}

/** Returns the tabs of the record. */
function tabsOf(
  kind: EntityKind,
  { isIndividual, documentLinks }: EntityForm,
  fields: FieldMessages,
): Tab<EntityTab>[] {
  const wrong = new Set(Object.keys(fields).map(tabOf));
  const label = (value: EntityTab, words: string): Tab<EntityTab> => ({
    value,
    label: wrong.has(value) ? `${words} (to correct)` : words,
  });
  return [
    label('details', 'Details'),
    label('addresses', 'Addresses'),
    ...(hasContacts(kind, isIndividual) ? [label('contacts', 'Contacts')] : []),
    ...(hasAccount(kind) ? [label('account', 'Account')] : []),
    label('info', 'Info'),
    ...(hasAccount(kind) ? [{ ...label('attachments', 'Attachments'), count: countOf(documentLinks) }] : []),
  ];
}

interface EntityWork {
  /** The form. Before it saves, `save` warns about a name that another record already uses. */
  form: RecordForm<EntityForm>;
  warning: string | undefined;
  /** The attachments, or the company's logo. */
  files: Attachments;
  isEditing: boolean;
  setEditing: (editing: boolean) => void;
  tab: EntityTab;
  setTab: (tab: EntityTab) => void;
}

const neverRemoved = (): never => {
  throw new Error("records of this type can't be deleted");
};

/**
 * Manages the form and its modes. New records and the company open in edit mode. For saved records, the user must first
 * select Edit.
 */
function useEntityWork({ kind, id, entity, startsOn, onSaved, onDeleted }: LoadedProps): EntityWork {
  const { records } = kind;
  const definitions = usePropertyDefinitions(kind.kind);
  const all = { remove: neverRemoved, ...records };
  const save = useSave(all);
  const remove = useRemove(all);
  const [tab, setTab] = useState<EntityTab>(startsOn ?? 'details');
  const files = useAttachments();
  const manages = useManages(kind.manager);
  const name = useNameAsked();
  const form = useRecordForm<AnyEntity, EntityForm>({
    name: kind.name,
    id,
    saved: entity,
    formOf: (one) => (one === undefined ? { ...entityFormOf(one), name } : entityFormOf(one)),
    schema: EntityForm,
    check: (typed) => entityFaults(typed, kind.kind),
    placed: (fields, typed) => placed(fields, entityInput(typed, kind.kind, definitions)),
    reply: kind.reply,
    before: files.before,
    send: (typed, { place }) => save(id, entityInput(typed, kind.kind, definitions), place),
    ...(records.remove === undefined ? {} : { remove }),
    restore: restoreOf(entity, { send: () => save(id, { deleted: false }), nameOf: (one) => one.displayname }),
    isReadOnly: !manages,
    words: {
      saved: (one) => `${one.displayname} saved`,
      create: records.words.create,
      update: records.words.update,
    },
    onFaults: (fields) => setTab(firstTabWithFault(fields) ?? tab),
    onSaved: (one) => {
      setEditing(false);
      setTab('details');
      onSaved(one.id);
    },
    onRemoved: onDeleted,
  });
  const isAsked = startsOn !== undefined && manages && entity !== undefined && isActive(entity);
  const [isEditing, setEditing] = useState(entity === undefined || kind.kind === COMPANY || form.restored || isAsked);
  const namesake = useNamesake(kind, entity);
  const saveAsked = useSaveAsked(form, namesake.ask);
  const warning = namesake.warningOf(form.values);
  return { form: { ...form, save: () => void saveAsked() }, warning, files, isEditing, setEditing, tab, setTab };
}

/** Returns the footer for the read-only view or for edit mode. Inactive records use the shared footer. */
function footerOf({ entity, onClose }: LoadedProps, work: EntityWork): FooterBarProps | undefined {
  const { form, isEditing, setEditing, setTab } = work;
  if (form.isReadOnly) return undefined;
  const whole = recordFooter(form, entity && `Delete ${entity.displayname}?`);
  if (isEditing || entity === undefined) {
    const cancel = () => {
      form.reset();
      setTab('details');
      if (entity === undefined) onClose();
      else setEditing(false);
    };
    return { ...whole, actions: [{ label: 'Cancel Changes', onClick: cancel }] };
  }
  const edit = () => {
    form.reset();
    setEditing(true);
  };
  return { ...whole, primary: { label: 'Edit', onClick: edit } };
}
