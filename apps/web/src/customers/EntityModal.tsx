import { Entity } from '@evenkeel/contract/entities';
import { decode } from '@evenkeel/contract/wire';
import { CUSTOMER, entityLabel } from '@evenkeel/core/entities';
import type { FieldMessages } from '@evenkeel/core/failure';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { type FormSave, useFormSave } from '../records/formSave.ts';
import { useMay } from '../session.ts';
import { StaleChoice } from '../records/StaleChoice.tsx';
import { useAlerts } from '../ui/alerts/Alerts.tsx';
import { type Draft, useDraft } from '../ui/hooks/draft.ts';
import { AppModal } from '../ui/overlay/AppModal.tsx';
import type { FooterBarProps } from '../ui/overlay/FooterBar.tsx';
import { TabPane } from '../ui/page/TabPane.tsx';
import { neighbourTab, type Tab, Tabs } from '../ui/page/Tabs.tsx';
import { ErrorState } from '../ui/show/EmptyState.tsx';
import { FormErrorSummary } from '../ui/show/FormErrorSummary.tsx';
import { Status } from '../ui/show/Status.tsx';
import { blankEntity, type EntityForm, entityFormOf, readEntityDraft } from './entityForm.ts';
import { entityFaults, entityInput, type EntityTab, firstTabWithFault, placed, tabOf } from './entityInput.ts';
import { EntityEdit, EntityView } from './EntityTabs.tsx';
import { useCustomer, useDeleteCustomer, usePropertyDefinitions, useSaveCustomer } from './queries.ts';

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
  const { customer, error, retry } = useCustomer(props.id);
  if (props.id === 0 || customer !== undefined) {
    return <LoadedModal {...props} customer={props.id === 0 ? undefined : customer} />;
  }
  return (
    <AppModal opened onClose={props.onClose} title={entityLabel(CUSTOMER)} size="lg">
      {error === undefined ? <p role="status">Loading...</p> : <ErrorState message={error} onRetry={retry} />}
    </AppModal>
  );
}

interface LoadedProps extends EntityModalProps {
  /** Undefined for a new one. */
  customer: Entity | undefined;
}

function LoadedModal(props: LoadedProps) {
  const { customer, onClose } = props;
  const idBase = useId();
  const work = useEntityWork(props);
  const { draft, save, isEditing, tab, setTab } = work;
  const tabs = useEntityTabs(isEditing ? draft.value.isIndividual : customer?.isIndividual === true, save);
  const pane = useRef<HTMLDivElement>(null);
  useFocusAfterEditing(pane, isEditing);
  const shown = tabs.some((each) => each.value === tab) ? tab : 'details';
  return (
    <AppModal
      opened
      onClose={onClose}
      title={customer?.displayname ?? `New ${entityLabel(CUSTOMER)}`}
      beside={customer?.deleted === true && <Status look="void">Inactive</Status>}
      size="lg"
      dirty={isEditing && draft.dirty}
      onDiscard={() => draft.clear()}
      footer={useEntityFooter(props, work)}
    >
      <div className="cu-modal-tabs">
        <Tabs tabs={tabs} value={shown} onChange={setTab} label={entityLabel(CUSTOMER)} idBase={idBase} />
      </div>
      <TabPane idBase={idBase} value={shown} onSwipe={(step) => setTab(neighbourTab(tabs, shown, step))}>
        <div className="cu-modal-pane" ref={pane} tabIndex={-1}>
          <div className="ek-stack">
            <FormErrorSummary problems={save.problems.map((message) => ({ message }))} />
            {save.current !== undefined && <StaleChoice onTheirs={work.takeTheirs} onMine={work.keepMine} />}
            {!isEditing && customer !== undefined ? (
              <EntityView tab={shown} entity={customer} />
            ) : (
              <EntityEdit tab={shown} form={draft.value} onChange={work.change} fields={save.fields} />
            )}
          </div>
        </div>
      </TabPane>
    </AppModal>
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
function useEntityTabs(isIndividual: boolean, save: FormSave): Tab<EntityTab>[] {
  const definitions = usePropertyDefinitions();
  const wrong = new Set(Object.keys(save.fields).map(tabOf));
  const label = (tab: EntityTab, words: string): Tab<EntityTab> => ({
    value: tab,
    label: wrong.has(tab) ? `${words} (to correct)` : words,
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
  draft: Draft<EntityForm>;
  save: FormSave;
  isEditing: boolean;
  setEditing: (editing: boolean) => void;
  tab: EntityTab;
  setTab: (tab: EntityTab) => void;
  change: (form: EntityForm) => void;
  send: (form: EntityForm) => Promise<void>;
  takeTheirs: () => void;
  keepMine: () => void;
}

/** The form, kept on this device while it is worked on, and its way to the server. */
function useEntityWork({ id, customer, onSaved }: LoadedProps): EntityWork {
  const draft = useDraft<EntityForm>({
    name: `customer:${id}`,
    initial: customer === undefined ? blankEntity() : entityFormOf(customer),
    read: readEntityDraft,
  });
  const save = useFormSave(entityFaults(draft.value));
  const [isEditing, setEditing] = useState(customer === undefined || draft.restored);
  const [tab, setTab] = useState<EntityTab>('details');
  const sendCustomer = useSaveCustomer();
  const definitions = usePropertyDefinitions();
  const alerts = useAlerts();
  const input = entityInput(draft.value, definitions);
  const openFault = (fields: FieldMessages) => {
    const wrongTab = firstTabWithFault(placed(fields, input));
    if (wrongTab !== undefined) setTab(wrongTab);
  };
  const send = async (form: EntityForm) => {
    const words = customer === undefined ? 'Failure Saving Customer' : 'Failure Updating Customer';
    const saved = await save.attempt(() => sendCustomer(id, entityInput(form, definitions)), words, openFault);
    if (saved === undefined) return;
    draft.clear(entityFormOf(saved));
    save.forget();
    setEditing(false);
    setTab('details');
    alerts.success(`${saved.displayname} saved`);
    onSaved(saved.id);
  };
  const withRowVersion = (rowVersion: number) => ({ ...draft.value, rowVersion });
  const theirs = () => decode(Entity, save.current);
  return {
    draft,
    save: { ...save, fields: placed(save.fields, input) },
    isEditing,
    setEditing,
    tab,
    setTab,
    change: (form) => {
      save.touched();
      draft.set(form);
    },
    send,
    takeTheirs: () => {
      draft.clear(entityFormOf(theirs()));
      save.forget();
    },
    keepMine: () => {
      const mine = withRowVersion(theirs().rowVersion);
      draft.set(mine);
      void send(mine);
    },
  };
}

function useEntityFooter(props: LoadedProps, work: EntityWork): FooterBarProps | undefined {
  const { customer, onClose, onSaved, onDeleted } = props;
  const mayManage = useMay()('Manage Customers');
  const remove = useDeleteCustomer();
  const restore = useSaveCustomer();
  if (!mayManage) return undefined;
  const { draft, save, isEditing, setEditing, setTab } = work;
  const confirmed = async () => {
    if (customer === undefined) return;
    if ((await save.attempt(() => remove(customer.id))) !== true) return;
    draft.clear();
    onDeleted();
  };
  const deleting =
    customer === undefined || customer.deleted
      ? {}
      : {
          remove: { question: `Delete ${customer.displayname}?`, onConfirm: () => void confirmed(), busy: save.busy },
        };
  if (isEditing || customer === undefined) {
    const cancel = () => {
      draft.clear(customer === undefined ? blankEntity() : entityFormOf(customer));
      save.forget();
      setTab('details');
      if (customer === undefined) onClose();
      else setEditing(false);
    };
    return {
      primary: { label: 'Save', onClick: () => void work.send(draft.value), busy: save.busy },
      actions: [{ label: 'Cancel Changes', onClick: cancel }],
      ...deleting,
    };
  }
  if (customer.deleted) {
    const bringBack = () => restore(customer.id, { deleted: false, rowVersion: customer.rowVersion });
    const run = async () => {
      const saved = await save.attempt(bringBack, 'Failure Updating Customer');
      if (saved !== undefined) onSaved(saved.id);
    };
    return { primary: { label: 'Restore', onClick: () => void run(), busy: save.busy } };
  }
  const edit = () => {
    draft.clear(entityFormOf(customer));
    setEditing(true);
  };
  return { primary: { label: 'Edit', onClick: edit }, ...deleting };
}
