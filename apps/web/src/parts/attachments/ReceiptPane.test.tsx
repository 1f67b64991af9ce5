// @vitest-environment jsdom
import '../../testing/setup.ts';
import { DocumentLink } from '@evenkeel/contract/attachments';
import { attachmentCalls } from '@evenkeel/contract/uploads';
import { decode } from '@evenkeel/contract/wire';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { makeQueryClient } from '../../client/api.ts';
import { RecordModal } from '../../records/RecordModal.tsx';
import { useRecordForm } from '../../records/useRecordForm.ts';
import { show } from '../../testing/show.tsx';
import { AttachmentsForm, attachmentsFormOf } from './attachmentForm.ts';
import { AttachmentPane, AttachmentTabs } from './AttachmentTabs.tsx';
import { ReceiptPane } from './ReceiptPane.tsx';
import { useAttachments, useBegunWith } from './useAttachments.ts';

const PNG = '\u0089PNG\r\n\u001a\n';
const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const picture = (name: string) => new File([bytesOf(PNG)], name);

const Form = z.object({ note: z.string(), documentLinks: AttachmentsForm });
type Form = z.output<typeof Form>;

const stored = (id: number, documentName: string, contentType = 'image/png') =>
  decode(DocumentLink, {
    id,
    documentId: id * 10,
    documentName,
    uploadDate: '2026-05-01',
    filePath: `/api/document/${id * 10}`,
    contentType,
    size: 8,
    deleted: false,
  });

const own = Object.getOwnPropertyDescriptors(URL);
afterEach(() => {
  for (const name of ['createObjectURL', 'revokeObjectURL'] as const) {
    if (own[name] === undefined) Reflect.deleteProperty(URL, name);
    else Object.defineProperty(URL, name, own[name]);
  }
});

let made: string[];
let revoked: string[];
/** The responses to file downloads, by path. */
let answers: Record<string, () => Response>;

beforeEach(() => {
  made = [];
  revoked = [];
  answers = {};
  URL.createObjectURL = () => {
    made.push(`blob:${made.length}`);
    return made.at(-1) ?? '';
  };
  URL.revokeObjectURL = (address) => void revoked.push(address);
  const installation = { empty: false, demo: false, signUp: 'invite', passwordMin: 6, chatWidgetUrl: null };
  vi.stubGlobal('fetch', async (address: string) => {
    const answer = answers[address];
    return answer?.() ?? new Response(JSON.stringify({ ...installation, maxUploadMb: 1 }));
  });
});

interface DialogProps {
  links?: readonly DocumentLink[];
  begun?: File[];
}

const NONE: readonly never[] = [];

function Dialog({ links = NONE, begun }: DialogProps) {
  const files = useAttachments({ isBeside: true });
  const form = useRecordForm<object, Form>({
    name: 'note',
    id: 7,
    saved: {},
    formOf: () => ({ note: '', documentLinks: attachmentsFormOf(links) }),
    schema: Form,
    check: () => ({}),
    send: async () => ({}),
    before: files.before,
    words: { saved: () => 'Saved' },
    onSaved: () => undefined,
  });
  useBegunWith(form, files, () => begun?.splice(0) ?? NONE);
  return (
    <RecordModal
      form={form}
      title="Note"
      onClose={() => undefined}
      head={<AttachmentTabs main="Note" form={form} files={files} />}
      aside={<ReceiptPane form={form} files={files} />}
    >
      <AttachmentPane form={form} files={files}>
        <p>The note itself</p>
      </AttachmentPane>
    </RecordModal>
  );
}

const open = (props: DialogProps = {}) =>
  show(
    <QueryClientProvider client={makeQueryClient()}>
      <Dialog {...props} />
    </QueryClientProvider>,
  );

const tab = () => screen.getByRole('tab', { name: /^Attachments/ });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const shown = () => screen.getByRole('region', { name: 'Receipt' });

it("a picture that is dropped on the form appears next to it immediately, and the form's tab stays open", async () => {
  open();
  expect(shown().textContent).toContain('No receipt attached');
  const dataTransfer = { types: ['Files'], files: [picture('one.png'), picture('two.png')] };
  fireEvent.drop(screen.getByText('The note itself'), { dataTransfer });
  expect(await screen.findByRole('img', { name: 'one.png' })).toBeTruthy();
  expect(tab().textContent).toBe('Attachments(2)');
  expect(tab().getAttribute('aria-selected')).toBe('false');
  expect(shown().textContent).toContain('1 of 2');
});

it('the arrow buttons step through 3 files, keep the focus, and do nothing at the ends', async () => {
  open({ begun: [picture('one.png'), picture('two.png'), picture('three.png')] });
  await screen.findByRole('img', { name: 'one.png' });
  await press('Next file');
  expect(await screen.findByRole('img', { name: 'two.png' })).toBeTruthy();
  await press('Next file');
  await press('Next file');
  expect(await screen.findByRole('img', { name: 'three.png' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next file' }));
  // After a file is removed, the next one is shown.
  await userEvent.click(tab());
  await press('Delete three.png');
  expect(await screen.findByRole('img', { name: 'one.png' })).toBeTruthy();
  await press('two.png');
  expect(await screen.findByRole('img', { name: 'two.png' })).toBeTruthy();
});

it('every object URL is revoked when the picture changes and when the form closes', async () => {
  const { unmount } = open({ begun: [picture('one.png'), picture('two.png')] });
  await screen.findByRole('img', { name: 'one.png' });
  await press('Next file');
  await screen.findByRole('img', { name: 'two.png' });
  unmount();
  expect(made.length).toBeGreaterThanOrEqual(2);
  expect(revoked.toSorted()).toEqual(made.toSorted());
});

it("a file that the browser can't show can be downloaded, and so can a damaged picture", async () => {
  open({ begun: [new File(['Gravel, 2 tons'], 'note.txt'), picture('broken.png')] });
  expect(await screen.findByText("This file can't be previewed")).toBeTruthy();
  await press('Download');
  await waitFor(() => expect(made).toHaveLength(1));
  await press('Next file');
  fireEvent.error(await screen.findByRole('img', { name: 'broken.png' }));
  expect(await screen.findByText("This file can't be previewed")).toBeTruthy();
  expect(screen.queryByRole('img')).toBeNull();
});

it('a saved file is loaded from the server, a failure shows an error, and Retry loads it again', async () => {
  let works = false;
  const path = `/api${attachmentCalls.getDocument.path.replace('{documentId}', '40')}`;
  const refusal = JSON.stringify({ code: 'missing', message: 'This document is gone', requestId: 'r' });
  answers[path] = () =>
    works
      ? new Response(bytesOf(PNG), { headers: { 'content-type': 'image/png' } })
      : new Response(refusal, { status: 404 });
  open({ links: [stored(4, 'old.png')] });
  expect(await screen.findByText(/This document is gone/)).toBeTruthy();
  works = true;
  await press('Retry');
  expect(await screen.findByRole('img', { name: 'old.png' })).toBeTruthy();
});

it('after a reload, a file that was not uploaded is reported as lost', async () => {
  const first = open({ begun: [picture('one.png')] });
  await screen.findByRole('img', { name: 'one.png' });
  first.unmount();
  open();
  expect(await screen.findByText('File lost when the page was reloaded')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Download one.png' })).toBeNull();
});

it('rejects a file 1 byte larger than 1 MB on the Attachments tab, even before the limit is known', async () => {
  open({ begun: [new File(['x'.repeat(1_048_577)], 'big.pdf')] });
  expect(await screen.findByText('big.pdf is larger than 1 MB')).toBeTruthy();
  expect(tab().getAttribute('aria-selected')).toBe('true');
});
