import { authCalls } from '@evenkeel/contract/auth';
import { contentTypeOf, HEAD_BYTES } from '@evenkeel/core/documents/attachments';
import type { FieldMessages } from '@evenkeel/core/failure';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { ask, newKey, useRead, useReadNow } from '../../client/api.ts';
import type { RecordForm } from '../../records/useRecordForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { type AttachmentForm, newAttachment, type WithAttachments, withDeleted } from './attachmentForm.ts';
import { uploadFile } from './uploadFile.ts';

const FAILED = 'Failed to Attach Files';
const MEGABYTE = 1_048_576;

/** A file to upload on save, with its idempotency key, which is kept until a response arrives. */
interface Waiting {
  file: File;
  key: string;
}

/** The progress of a file's upload, from 0 to 1. */
export interface Progress {
  id: number;
  part: number;
}

export type AttachmentTab = 'main' | 'attachments';

interface AttachmentsOptions {
  /** False for a record that can't have attachments. */
  isUsed?: boolean;
  /**
   * Whether a ReceiptPane shows the files next to the form. If so, the form's own tab stays open when a file is added.
   */
  isBeside?: boolean;
}

/**
 * Manages the attachments in a record's form. Picked or dropped files stay in this browser tab until the save. The save
 * uploads them one by one, and then sends the record with the returned IDs in its links:
 *
 * const files = useAttachments(); const form = useRecordForm({ …, before: files.before, onFaults: files.onFaults });
 * <RecordModal head={<AttachmentTabs main="Payment" {...{ form, files }} />} …>
 * <AttachmentPane {...{ form, files }}>…</AttachmentPane>
 */
export function useAttachments({ isUsed = true, isBeside = false }: AttachmentsOptions = {}) {
  const alerts = useAlerts();
  const mostMb = useMostMb(isUsed);
  const waiting = useWaiting();
  const uploads = useUploads(waiting.of);
  const idBase = useId();
  const [problems, setProblems] = useState<string[]>([]);
  const [tab, setTab] = useState<AttachmentTab>('main');
  const [shownId, show] = useState<number>();

  const refuse = (messages: string[]): void => {
    if (messages.length > 0) {
      alerts.error(FAILED);
      setTab('attachments');
    }
    setProblems(messages);
  };

  /**
   * Adds picked files to the form. Shows a message for a file that can't be read, is too large, or is rejected by
   * `only`. With `only`, the record has a single file, and a picked file replaces the current one.
   */
  const add = async <Form extends WithAttachments>(
    form: RecordForm<Form>,
    picked: readonly File[],
    only?: Only,
  ): Promise<void> => {
    if (!isBeside) setTab('attachments');
    const most = await mostMb();
    const judged = await Promise.all(picked.map((file) => judge(file, most, only)));
    const good = judged.flatMap((one) => ('contentType' in one ? [one] : []));
    const links = waiting.link(good, form.values.documentLinks);
    if (links.length > 0) {
      show(links[0]?.id);
      const kept = (all: AttachmentForm[]) =>
        only === undefined ? all : all.reduce((some, { id }) => withDeleted(some, id, true), all);
      form.change((values) => ({ ...values, documentLinks: [...kept(values.documentLinks), ...links] }));
    }
    refuse(judged.flatMap((one) => ('message' in one ? [one.message] : [])));
  };

  /** Uploads the files that have not been uploaded yet. Returns the form with their IDs. */
  const run = async <Form extends WithAttachments>(form: Form, keep: Keep<Form>): Promise<Form> => {
    setProblems([]);
    // The progress appears on the Attachments tab, or in the pane next to the form.
    if (!isBeside && form.documentLinks.some(isWaiting)) setTab('attachments');
    try {
      const ready = await uploads.run(form, keep);
      setTab(tab);
      return ready;
    } catch (error) {
      setTab('attachments');
      throw error;
    }
  };

  return {
    add,
    before: { run, failed: FAILED },
    /** Opens the tab that contains the error. */
    onFaults: (fields: FieldMessages) => {
      const paths = Object.keys(fields);
      if (paths.length > 0) setTab(paths.every(isOurs) ? 'attachments' : 'main');
    },
    /** Returns the file for a new link. Returns undefined after a reload, because the file is then lost. */
    fileOf: ({ id }: Pick<AttachmentForm, 'id'>): File | undefined => waiting.of(id)?.file,
    progress: uploads.progress,
    problems,
    tab,
    setTab,
    isBeside,
    /** The ID of the file shown next to the form: the selected one, or the first one. */
    shownId,
    show,
    /** The ID prefix that connects tabs and panels for screen readers. */
    idBase,
  };
}
export type Attachments = ReturnType<typeof useAttachments>;

/** Attaches the files that a form was opened with. `take` returns the files only on its first call. */
export function useBegunWith<Form extends WithAttachments>(
  form: RecordForm<Form>,
  files: Attachments,
  take: (() => readonly File[]) | undefined,
): void {
  const begin = useEffectEvent(() => {
    const picked = take?.() ?? [];
    if (picked.length > 0) void files.add(form, picked);
  });
  useEffect(() => begin(), []);
}

/**
 * Returns a function that resolves to the maximum file size in MB, or to undefined if the size is unlimited. If
 * necessary, the function waits for the response.
 */
function useMostMb(isUsed: boolean): () => Promise<number | undefined> {
  const asked = ask(authCalls.installation, {});
  const known = useRead(asked, { enabled: isUsed }).value?.maxUploadMb;
  const readNow = useReadNow();
  return async () => {
    if (known !== undefined || !isUsed) return known;
    return readNow(asked).then(
      ({ maxUploadMb }) => maxUploadMb,
      () => undefined,
    );
  };
}

/** Holds the files to upload on save, by link ID. */
function useWaiting() {
  const waiting = useRef(new Map<number, Waiting>());
  const lastId = useRef(0);
  return {
    of: (id: number) => waiting.current.get(id),
    /** Registers files for upload and returns their links, whose IDs differ from those of `others`. */
    link: (files: readonly { file: File; contentType: string }[], others: readonly AttachmentForm[]) => {
      lastId.current = Math.min(lastId.current, ...others.map(({ id }) => id));
      return files.map(({ file, contentType }) => {
        lastId.current -= 1;
        waiting.current.set(lastId.current, { file, key: newKey() });
        return newAttachment(lastId.current, { name: file.name, size: file.size, contentType });
      });
    },
  };
}

const isWaiting = ({ documentId, deleted }: AttachmentForm): boolean => documentId === 0 && !deleted;

/** Changes the draft. The change remains even if the save fails later. */
type Keep<Form> = (change: (form: Form) => Form) => void;

/** Uploads a form's pending files one by one. Each returned ID is stored in the draft immediately. */
function useUploads(waitingFor: (id: number) => Waiting | undefined) {
  const closing = useClosing();
  const [progress, setProgress] = useState<Progress>();
  const run = async <Form extends WithAttachments>(form: Form, keep: Keep<Form>): Promise<Form> => {
    let ready = form;
    for (const { id, documentName } of form.documentLinks.filter(isWaiting)) {
      const waiting = waitingFor(id);
      if (waiting === undefined) {
        throw new Error(`${documentName} was lost when the page was reloaded. Attach it again, or remove it.`);
      }
      const onProgress = (part: number) => setProgress({ id, part });
      onProgress(0);
      const sending = uploadFile(waiting.file, { key: waiting.key, onProgress, signal: closing() });
      const { documentId, contentType } = await sending.finally(() => setProgress(undefined));
      const uploaded = <F extends WithAttachments>(values: F): F => {
        const linked = (link: AttachmentForm) => (link.id === id ? { ...link, documentId, contentType } : link);
        return { ...values, documentLinks: values.documentLinks.map(linked) };
      };
      ready = uploaded(ready);
      keep(uploaded);
    }
    return ready;
  };
  return { run, progress };
}

/** Returns whether an error message belongs to an attachment. */
export const isOurs = (path: string): boolean => path.startsWith('documentLinks');

/** Returns the reason why a record rejects a file, or undefined if it accepts the file. */
type Only = (file: { contentType: string; size: number }) => string | undefined;

/** Returns a picked file with its content type, or the reason why it can't be attached. */
async function judge(
  file: File,
  mostMb: number | undefined,
  only: Only | undefined,
): Promise<{ file: File; contentType: string } | { message: string }> {
  if (mostMb !== undefined && file.size > mostMb * MEGABYTE) {
    return { message: `${file.name} is larger than ${mostMb} MB` };
  }
  if (file.size === 0) return { message: `${file.name} is empty` };
  try {
    const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
    const contentType = contentTypeOf(head);
    const message = only?.({ contentType, size: file.size });
    return message === undefined ? { file, contentType } : { message };
  } catch {
    return { message: `${file.name} can't be read` };
  }
}

/** Returns a signal that aborts running uploads when the form closes. */
function useClosing(): () => AbortSignal {
  const controller = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      controller.current?.abort();
      controller.current = undefined;
    },
    [],
  );
  return () => (controller.current ??= new AbortController()).signal;
}
