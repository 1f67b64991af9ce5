import type { ComponentType } from 'react';
import { useMay } from '../../client/session.ts';
import { useOpenRecord } from '../../records/openRecord.ts';
import type { DocumentEntryProps } from '../documents/entry/DocumentEntry.tsx';
import type { Scheduled } from '../documents/entry/scheduledTab.ts';
import { TemplateList } from './TemplateList.tsx';
import { TemplatePanel } from './TemplatePanel.tsx';
import type { AnyTemplates } from './templates.ts';

/**
 * The Scheduled tab. `?scheduled=3` opens a schedule's panel next to the list, and `?template=3` opens its form.
 * 0 is a new schedule, unless `adds` is false.
 */
export function useScheduled<One extends { id: number }>(
  kind: AnyTemplates,
  { Entry, hint, adds = true }: { Entry: ComponentType<DocumentEntryProps<One>>; hint: string; adds?: boolean },
): Scheduled {
  const manages = useMay()(kind.manage);
  const open = useOpenRecord('scheduled', { hasNew: false });
  const edit = useOpenRecord('template', { hasNew: adds });
  const add = manages && adds ? { label: 'Add Schedule', onClick: () => edit.open(0) } : undefined;
  return {
    add,
    list: (filter) => <TemplateList kind={kind} open={open} filter={filter} onAdd={add?.onClick} hint={hint} />,
    panel:
      open.id === undefined ? undefined : (
        <TemplatePanel key={open.id} kind={kind} id={open.id} onClose={open.close} onEdit={edit.open} />
      ),
    form: edit.id !== undefined && manages && (
      <Entry
        key={edit.id}
        invoiceId={edit.id}
        onClose={edit.close}
        onSaved={edit.close}
        onDeleted={edit.close}
        onPay={edit.close}
      />
    ),
  };
}
