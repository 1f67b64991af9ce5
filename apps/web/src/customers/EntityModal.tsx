import { Entity } from '@evenkeel/contract/entities';
import { CUSTOMER, entityLabel } from '@evenkeel/core/entities';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { LoadedModal, recordFooter, RecordModal } from '../records/RecordModal.tsx';
import { useOne, useRemove, useSave } from '../records/records.ts';
import { type RecordForm, useRecordForm } from '../records/useRecordForm.ts';
import { useMay } from '../session.ts';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import type { FooterBarProps } from '../ui/overlay/FooterBar.tsx';
import { TabPane } from '../ui/page/TabPane.tsx';
import { neighbourTab, type Tab, Tabs } from '../ui/page/Tabs.tsx';
import { Status } from '../ui/show/Status.tsx';
import { customers, usePropertyDefinitions } from './customers.ts';
import { EntityForm, entityFormOf } from './entityForm.ts';
import { entityFaults, entityInput, type EntityTab, firstTabWithFault, placed, tabOf } from './entityInput.ts';
import { EntityEdit, EntityView } from './EntityTabs.tsx';

const LABEL = entityLabel(CUSTOMER);

export interface EntityModalProps {
  /** 0 is a new customer. */
  id: number;
  onClose: () => void;
  /** After each save, with the id it then has. */
  onSaved: (id: number) => void;
  onDeleted: () => void;
}

/** The Entity detail modal of a customer: loads the record, then shows it (Specification part 1 §2, §4). */
export function EntityModal(props: EntityModalProps) {
  return (
    <LoadedModal id={props.id} read={useOne(customers, props.id)} title={LABEL} size="lg" onClose={props.onClose}>
      {(customer) => <LoadedEntity {...props} customer={customer} />}
    </LoadedModal>
  );
}

interface LoadedProps extends EntityModalProps {
  /** Undefined for a new one. */
  customer: Entity | undefined;
}

function LoadedEntity(props: LoadedProps) {
  const { customer, onClose } = props;
  const idBase = useId();
  const work = useEntityWork(props);
  const { form, isEditing, tab, setTab } = work;
  const tabs = useEntityTabs(isEditing ? form.values.isIndividual : customer?.isIndividual === true, form.fields);
  const pane = useRef<HTMLDivElement>(null);
  useFocusAfterEditing(pane, isEditing);
  const shown = tabs.some((each) => each.value === tab) ? tab : 'details';
  return (
    <RecordModal
      form={{ ...form, dirty: isEditing && form.dirty }}
      onClose={onClose}
      title={customer?.displayname ?? `New ${LABEL}`}
      beside={customer?.deleted === true && <Status look="void">Inactive</Status>}
      size="lg"
      footer={useEntityFooter(props, work)}
      head={
        <div className="cu-modal-tabs">
          <Tabs tabs={tabs} value={shown} onChange={setTab} label={LABEL} idBase={idBase} />
        </div>
      }
    >
      <TabPane idBase={idBase} value={shown} onSwipe={(step) => setTab(neighbourTab(tabs, shown, step))}>
        <div className="cu-modal-pane" ref={pane} tabIndex={-1}>
          {isEditing || customer === undefined ? (
            <EntityEdit tab={shown} form={form} />
          ) : (
            <EntityView tab={shown} entity={customer} />
          )}
        </div>
      </TabPane>
    </RecordModal>
  );
}

/** Save and Cancel Changes go with the edit mode: the focus stays in the modal, so that its keys go on working. */
function useFocusAfterEditing(pane: RefObject<HTMLDivElement | null>, isEditing: boolean): void {
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    if (wasEditing.current && !isEditing) pane.current?.focus();
    wasEditing.current = isEditing;
  }, [pane, isEditing]);
}

/** The tabs of the record; Contacts not for individuals, Info only when there are definitions (part 1 §2). */
function useEntityTabs(isIndividual: boolean, fields: FieldMessages): Tab<EntityTab>[] {
  const definitions = usePropertyDefinitions();
  const wrong = new Set(Object.keys(fields).map(tabOf));
  const label = (value: EntityTab, words: string): Tab<EntityTab> => ({
    value,
    label: wrong.has(value) ? `${words} (to correct)` : words,
  });
  return [
    label('details', 'Details'),
    label('addresses', 'Addresses'),
    ...(isIndividual ? [] : [label('contacts', 'Contacts')]),
    label('account', 'Account'),
    ...(definitions.length === 0 ? [] : [label('info', 'Info')]),
  ];
}

interface EntityWork {
  form: RecordForm<EntityForm>;
  isEditing: boolean;
  setEditing: (editing: boolean) => void;
  tab: EntityTab;
  setTab: (tab: EntityTab) => void;
}

/** The form and its modes: a new customer is edited at once, a saved one after Edit (part 1 §4). */
function useEntityWork({ id, customer, onSaved, onDeleted }: LoadedProps): EntityWork {
  const definitions = usePropertyDefinitions();
  const save = useSave(customers);
  const remove = useRemove(customers);
  const [tab, setTab] = useState<EntityTab>('details');
  const form = useRecordForm<Entity, EntityForm>({
    name: 'customer',
    id,
    saved: customer,
    formOf: entityFormOf,
    schema: EntityForm,
    check: entityFaults,
    placed: (fields, typed) => placed(fields, entityInput(typed, definitions)),
    reply: Entity,
    send: (typed, { place }) => save(id, entityInput(typed, definitions), place),
    remove,
    words: {
      saved: (one) => `${one.displayname} saved`,
      create: customers.words.create,
      update: customers.words.update,
    },
    onFaults: (fields) => setTab(firstTabWithFault(fields) ?? tab),
    onSaved: (one) => {
      setEditing(false);
      setTab('details');
      onSaved(one.id);
    },
    onRemoved: onDeleted,
  });
  const [isEditing, setEditing] = useState(customer === undefined || form.restored);
  return { form, isEditing, setEditing, tab, setTab };
}

function useEntityFooter({ id, customer, onClose }: LoadedProps, work: EntityWork): FooterBarProps | null {
  const mayManage = useMay()('Manage Customers');
  const alerts = useAlerts();
  const save = useSave(customers);
  if (!mayManage) return null;
  const { form, isEditing, setEditing, setTab } = work;
  const isGone = customer?.deleted === true;
  const whole = recordFooter(form, customer === undefined || isGone ? undefined : `Delete ${customer.displayname}?`);
  if (isEditing || customer === undefined) {
    const cancel = () => {
      form.reset();
      setTab('details');
      if (customer === undefined) onClose();
      else setEditing(false);
    };
    return { ...whole, actions: [{ label: 'Cancel Changes', onClick: cancel }] };
  }
  if (isGone) {
    const restore = async () => {
      const input = { deleted: false, rowVersion: customer.rowVersion };
      const back = await form.attempt(() => save(id, input), customers.words.update);
      if (back !== undefined) alerts.success(`${back.displayname} restored`);
    };
    return { primary: { label: 'Restore', onClick: () => void restore(), busy: form.busy } };
  }
  const edit = () => {
    form.reset();
    setEditing(true);
  };
  return { ...whole, primary: { label: 'Edit', onClick: edit } };
}
