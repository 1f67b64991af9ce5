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

/** A file that waits for the save, with the key under which it is sent until an answer came. */
interface Waiting {
  file: File;
  key: string;
}

/** Progress of the upload of a link's file, from 0 to 1. */
export interface Progress {
  id: number;
  part: number;
}

export type AttachmentTab = 'main' | 'attachments';

interface AttachmentsOptions {
  /** False for a record that never has files. */
  isUsed?: boolean;
  /** They are shown beside the form (ReceiptPane): its own tab stays when one is added. */
  isBeside?: boolean;
}

/**
 * The files of a record's form. Picked or dropped files wait in this tab; the save uploads one after the other
 * before it sends the record, with the returned ids in its links:
 *
 * const files = useAttachments();
 * const form = useRecordForm({ …, before: files.before, onFaults: files.onFaults });
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
   * Takes picked files into the form; what cannot be read or is too large is told, and so is what `only` says no to: a
   * record that has one such file, whose place the picked one takes.
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

  /** Uploads what is not there yet; answers the form with the ids. */
  const run = async <Form extends WithAttachments>(form: Form, keep: Keep<Form>): Promise<Form> => {
    setProblems([]);
    // Their tab shows the progress, or the pane beside the form.
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
    /** Shows the tab of what is wrong. */
    onFaults: (fields: FieldMessages) => {
      const paths = Object.keys(fields);
      if (paths.length > 0) setTab(paths.every(isOurs) ? 'attachments' : 'main');
    },
    /** The file of a new link; undefined after a reload, which cannot keep it. */
    fileOf: ({ id }: Pick<AttachmentForm, 'id'>): File | undefined => waiting.of(id)?.file,
    progress: uploads.progress,
    problems,
    tab,
    setTab,
    isBeside,
    /** The file that is shown beside the form; the first one unless it is chosen. */
    shownId,
    show,
    /** Names tabs and pane to screen readers. */
    idBase,
  };
}
export type Attachments = ReturnType<typeof useAttachments>;

/** Attaches the files with which a form was begun, once: `take` answers them the first time only. */
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

/** Megabytes that a file may have, also asked for before the answer has come; undefined where there is none. */
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

/** The files that wait for the save, by the ids of their links. */
function useWaiting() {
  const waiting = useRef(new Map<number, Waiting>());
  const lastId = useRef(0);
  return {
    of: (id: number) => waiting.current.get(id),
    /** Links of files that wait from now on, each with an id that none of `others` has. */
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

/** Changes the draft, whatever becomes of the save. */
type Keep<Form> = (change: (form: Form) => Form) => void;

/** Uploads the waiting files of a form one by one; each id that came back is kept at once. */
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

/** Whether a message is about a file. */
export const isOurs = (path: string): boolean => path.startsWith('documentLinks');

/** The reason why a file is not the one that a record takes; undefined for one that is. */
type Only = (file: { contentType: string; size: number }) => string | undefined;

/** The link for a picked file, or the reason why it cannot be attached. */
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

/** A signal that is given when the form is closed: an upload that is under way ends with it. */
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
