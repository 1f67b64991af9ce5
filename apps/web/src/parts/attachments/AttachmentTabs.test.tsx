// @vitest-environment jsdom
import '../../testing/setup.ts';
import { DocumentLink, type DocumentLinkInput } from '@evenkeel/contract/attachments';
import { decode } from '@evenkeel/contract/wire';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { makeQueryClient } from '../../client/api.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { alerts } from '../../ui/alerts/store.ts';
import { show } from '../../testing/show.tsx';
import { AttachmentsForm, attachmentsFormOf, attachmentsInput, sizeWords } from './attachmentForm.ts';
import { AttachmentPane, AttachmentTabs } from './AttachmentTabs.tsx';
import { useAttachments } from './useAttachments.ts';

const Form = z.object({ note: z.string(), documentLinks: AttachmentsForm });
type Form = z.output<typeof Form>;

const stored = decode(DocumentLink, {
  id: 4,
  documentId: 40,
  documentName: 'old.pdf',
  uploadDate: '2026-05-01',
  filePath: '/api/document/40',
  contentType: 'application/pdf',
  size: 2_000_000,
  deleted: false,
});

/** The attachment links that each save request contained. */
let saves: DocumentLinkInput[][];
let nextSave: () => Promise<object>;
/** The uploads in the order in which they were sent. */
let uploads: { name: string; key: string }[];
/** The results of the next uploads: a status, or no response. */
let nextUpload: (number | 'silence')[];

/** Replaces the browser's upload request. */
class FakeUpload extends EventTarget {
  readonly upload = new EventTarget();
  status = 0;
  responseText = '';
  private key = '';
  open(): void {}
  abort(): void {}
  setRequestHeader(name: string, value: string): void {
    if (name === 'idempotency-key') this.key = value;
  }
  send(body: FormData): void {
    const file = body.get('file');
    if (!(file instanceof File)) throw new Error('no file was sent');
    const first = uploads.findIndex(({ key }) => key === this.key);
    uploads.push({ name: file.name, key: this.key });
    const answer = nextUpload.shift() ?? 200;
    const documentId = 100 + (first === -1 ? uploads.length : first + 1);
    const reply = { documentId, documentName: file.name, size: file.size, contentType: 'application/pdf' };
    this.status = answer === 'silence' ? 0 : answer;
    const refusal = { code: 'unavailable', message: 'The disk is full, so nothing was saved', requestId: 'r' };
    this.responseText = JSON.stringify(answer === 200 ? reply : refusal);
    setTimeout(() => this.dispatchEvent(new Event(answer === 'silence' ? 'error' : 'load')));
  }
}

beforeEach(() => {
  saves = [];
  uploads = [];
  nextUpload = [];
  nextSave = async () => ({});
  vi.stubGlobal('XMLHttpRequest', FakeUpload);
  const installation = { empty: false, demo: false, signUp: 'invite', passwordMin: 6, chatWidgetUrl: null };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ ...installation, maxUploadMb: 1 })));
});
function Dialog({ isReadOnly = false }: { isReadOnly?: boolean }) {
  const files = useAttachments();
  const form = useRecordForm<object, Form>({
    name: 'note',
    id: 7,
    saved: {},
    formOf: () => ({ note: '', documentLinks: attachmentsFormOf([stored]) }),
    schema: Form,
    check: () => ({}),
    send: async ({ documentLinks }) => {
      saves.push(attachmentsInput(documentLinks));
      return nextSave();
    },
    before: files.before,
    onFaults: files.onFaults,
    words: { saved: () => 'Saved' },
    onSaved: () => undefined,
    isReadOnly,
  });
  return (
    <RecordModal
      form={form}
      title="Note"
      onClose={() => undefined}
      head={<AttachmentTabs main="Note" form={form} files={files} />}
    >
      <AttachmentPane form={form} files={files}>
        <p>The note itself</p>
      </AttachmentPane>
    </RecordModal>
  );
}

const open = (isReadOnly = false) =>
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Dialog isReadOnly={isReadOnly} />
    </QueryClientProvider>,
  );

const file = (name: string, text = '%PDF-1.7') => new File([text], name);
const tab = () => screen.getByRole('tab', { name: /^Attachments/ });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const pick = (...files: File[]) =>
  userEvent.upload(screen.getByLabelText('Attach Files', { selector: 'input' }), files);
const rows = () => within(screen.getByRole('list', { name: 'Attachments' })).getAllByRole('listitem');
const told = () => alerts.state().shown.map(({ text }) => text);

it('a save first uploads picked and dropped files one by one', async () => {
  open();
  expect(tab().textContent).toBe('Attachments(1)');
  await userEvent.click(tab());
  await pick(file('a.pdf'), file('b.txt', 'hello'));
  await waitFor(() => expect(rows()).toHaveLength(3));
  await userEvent.click(screen.getByRole('tab', { name: 'Note' }));
  const place = screen.getByText('The note itself');
  const dataTransfer = { types: ['Files'], files: [file('c.pdf')] };
  fireEvent.dragEnter(place, { dataTransfer });
  expect(screen.getByText('Drop Files Here')).toBeTruthy();
  fireEvent.drop(place, { dataTransfer });
  await waitFor(() => expect(tab().textContent).toBe('Attachments(4)'));
  expect(tab().getAttribute('aria-selected')).toBe('true');
  expect(uploads).toEqual([]);
  await press('Save');
  await waitFor(() => expect(saves).toHaveLength(1));
  expect(uploads.map(({ name }) => name)).toEqual(['a.pdf', 'b.txt', 'c.pdf']);
  expect(new Set(uploads.map(({ key }) => key)).size).toBe(3);
  expect(saves[0]).toEqual([
    { id: -1, documentId: 101, documentName: 'a.pdf', deleted: false },
    { id: -2, documentId: 102, documentName: 'b.txt', deleted: false },
    { id: -3, documentId: 103, documentName: 'c.pdf', deleted: false },
  ]);
});

it('a deletion can be undone until the form is saved, and a new file is removed without an upload', async () => {
  open();
  await userEvent.click(tab());
  await pick(file('a.pdf'));
  await screen.findByText('a.pdf');
  await press('Delete old.pdf');
  expect([tab().textContent, rows()[0]?.textContent]).toEqual([
    'Attachments(1)',
    expect.stringContaining('Deleted when you save'),
  ]);
  await press('Restore old.pdf');
  expect(rows()[0]?.textContent).toContain('1.9 MB · 5/1/2026');
  await press('Delete a.pdf');
  expect(rows()).toHaveLength(1);
  await press('Delete old.pdf');
  await press('Save');
  await waitFor(() => expect(saves).toHaveLength(1));
  expect([uploads, saves[0]]).toEqual([[], [{ id: 4, documentId: 40, documentName: 'old.pdf', deleted: true }]]);
});

it('if an upload gets no response, the save stops, and the next save repeats only that upload', async () => {
  open();
  await userEvent.click(tab());
  await pick(file('a.pdf'), file('b.pdf'));
  await waitFor(() => expect(rows()).toHaveLength(3));
  nextUpload = [200, 'silence'];
  await press('Save');
  expect(await screen.findByText(/The connection was lost/)).toBeTruthy();
  expect([saves, told()]).toEqual([[], expect.arrayContaining(['Failed to Attach Files'])]);
  await userEvent.click(screen.getByRole('tab', { name: 'Note' }));
  nextSave = async () => {
    throw new Error('the save was rejected');
  };
  await press('Save');
  await waitFor(() => expect(saves).toHaveLength(1));
  await screen.findByText('the save was rejected');
  expect(tab().getAttribute('aria-selected')).toBe('false');
  nextSave = async () => ({});
  await press('Save');
  await waitFor(() => expect(saves).toHaveLength(2));
  expect(uploads.map(({ name }) => name)).toEqual(['a.pdf', 'b.pdf', 'b.pdf']);
  expect(uploads[2]?.key).toBe(uploads[1]?.key);
  expect(saves[1]?.map(({ documentId }) => documentId)).toEqual([101, 102]);
});

it('a rejected upload shows the reason and stops the save', async () => {
  open();
  await userEvent.click(tab());
  await pick(file('a.pdf'));
  await screen.findByText('a.pdf');
  nextUpload = [503];
  await press('Save');
  expect(await screen.findByText('The disk is full, so nothing was saved')).toBeTruthy();
  expect(saves).toEqual([]);
});

it('each file that is too large, empty, or unreadable is named and not attached', async () => {
  open();
  await userEvent.click(tab());
  const folder = file('folder');
  folder.slice = () => ({ arrayBuffer: () => Promise.reject(new Error('NotReadableError')) }) as unknown as Blob;
  await pick(file('big.pdf', 'x'.repeat(1_048_577)), file('empty.pdf', ''), folder, file('good.pdf'));
  await waitFor(() => expect(rows()).toHaveLength(2));
  for (const text of ['big.pdf is larger than 1 MB', 'empty.pdf is empty', "folder can't be read"]) {
    expect(screen.getByText(text)).toBeTruthy();
  }
  expect(told()).toEqual(['Failed to Attach Files']);
});

it('after a reload, a file that was not uploaded is named and stops the save until it is removed', async () => {
  const first = open();
  await userEvent.click(tab());
  await pick(file('a.pdf'));
  await screen.findByText('a.pdf');
  first.unmount();
  open();
  await userEvent.click(tab());
  expect(
    screen.getByText('This file was lost when the page was reloaded. Attach it again, or remove it.'),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Download a.pdf' })).toBeNull();
  await press('Save');
  expect(await screen.findByText(/a.pdf was lost when the page was reloaded/)).toBeTruthy();
  expect(saves).toEqual([]);
  await press('Delete a.pdf');
  await pick(file('a.pdf'));
  await screen.findByRole('button', { name: 'Download a.pdf' });
  await press('Save');
  await waitFor(() => expect(saves).toHaveLength(1));
  expect(saves[0]).toMatchObject([{ documentId: 101 }]);
});

it('a user with read access sees the files but no controls for changing them', async () => {
  open(true);
  await userEvent.click(tab());
  expect(rows()).toHaveLength(1);
  expect(screen.getAllByRole('button').map((each) => each.getAttribute('aria-label') ?? each.textContent)).toEqual([
    'Close',
    'old.pdf',
    'Download old.pdf',
  ]);
});

it.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 kB'],
  [4000, '3.9 kB'],
  [200_000, '195 kB'],
  [26_214_400, '25 MB'],
])('a size of %d bytes is shown as %s', (size, words) => {
  expect(sizeWords(size)).toBe(words);
});
