import './attachments.css';
import type { ReactNode } from 'react';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { DropArea, FilePicker } from '../../ui/fields/FileDrop.tsx';
import { TabPane } from '../../ui/page/TabPane.tsx';
import { type Tab, TabsIn } from '../../ui/page/Tabs.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { type AttachmentForm, countOf, type WithAttachments, withDeleted } from './attachmentForm.ts';
import { AttachmentList } from './AttachmentList.tsx';
import { type Attachments, type AttachmentTab, isOurs } from './useAttachments.ts';

interface Attached<Form> {
  form: RecordForm<Form>;
  files: Attachments;
}

export interface AttachmentTabsProps<Form> extends Attached<Form> {
  /** The label of the record's own tab, for example `Payment`. */
  main: string;
}

/**
 * The tabs of a dialog whose record can have attachments: the record's own tab, and Attachments with the number of
 * files. Used as RecordModal's `head`.
 */
export function AttachmentTabs<Form extends WithAttachments>({ main, form, files }: AttachmentTabsProps<Form>) {
  const tabs: Tab<AttachmentTab>[] = [
    { value: 'main', label: main },
    { value: 'attachments', label: 'Attachments', count: countOf(form.values.documentLinks) },
  ];
  const { tab: value, setTab: onChange, idBase } = files;
  return <TabsIn place="modal" label={main} {...{ tabs, value, onChange, idBase }} />;
}

/**
 * The content of the tabs. The record's own tab stays mounted while Attachments is open, so that an unfinished line
 * isn't lost. Files can be dropped on either tab.
 */
export function AttachmentPane<Form extends WithAttachments>(props: Attached<Form> & { children: ReactNode }) {
  const { form, files, children } = props;
  const { tab, setTab, idBase } = files;
  const swipe = () => setTab(tab === 'main' ? 'attachments' : 'main');
  return (
    <DropArea onFiles={(picked) => void files.add(form, picked)} disabled={form.isReadOnly || form.busy}>
      <TabPane idBase={idBase} value={tab} onSwipe={swipe}>
        <div hidden={tab !== 'main'}>
          <div className="ek-stack">{children}</div>
        </div>
        {tab === 'attachments' && <AttachmentsPart form={form} files={files} />}
      </TabPane>
    </DropArea>
  );
}

/** The attachments in a form: the list, the picker, and the messages about files. */
export function AttachmentsPart<Form extends WithAttachments>({ form, files }: Attached<Form>) {
  const { documentLinks } = form.values;
  const { progress } = files;
  const mark = ({ id }: AttachmentForm, deleted: boolean) =>
    form.change((values) => ({ ...values, documentLinks: withDeleted(values.documentLinks, id, deleted) }));
  const said = Object.entries(form.fields).flatMap(([path, message]) => (isOurs(path) ? [message] : []));
  const picker = !form.isReadOnly && (
    <FilePicker onFiles={(picked) => void files.add(form, picked)} disabled={form.busy} />
  );
  return (
    <div className="at-pane">
      {[...files.problems, ...said].map((message) => (
        <InlineAlert key={message} kind="Error">
          {message}
        </InlineAlert>
      ))}
      {documentLinks.length === 0 ? (
        <EmptyState
          title="No attachments"
          hint={form.isReadOnly ? undefined : 'Attach receipts, letters, or photos. Choose files or drop them here.'}
          action={picker}
        />
      ) : (
        <>
          <AttachmentList
            links={documentLinks}
            fileOf={files.fileOf}
            progressOf={({ id }) => (progress?.id === id ? progress.part : undefined)}
            onShow={files.isBeside ? ({ id }) => files.show(id) : undefined}
            onDelete={form.isReadOnly || form.busy ? undefined : mark}
          />
          {picker}
        </>
      )}
    </div>
  );
}
