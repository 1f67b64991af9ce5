import type { BankLine } from '@evenkeel/contract/statements';
import { useEffect, useRef, useState } from 'react';
import { messageOf, newKey } from '../../../client/api.ts';
import { attachmentsFormOf } from '../../../parts/attachments/attachmentForm.ts';
import { AttachmentList } from '../../../parts/attachments/AttachmentList.tsx';
import { uploadFile } from '../../../parts/attachments/uploadFile.ts';
import { InlineAlert } from '../../../ui/alerts/InlineAlert.tsx';
import { FilePicker } from '../../../ui/fields/FileDrop.tsx';
import type { Review } from './useReview.ts';

export interface ReceiptsProps {
  review: Review;
  line: BankLine;
  mayAct: boolean;
}

/**
 * The attachments of the record that was created from a bank transaction. A receipt is attached as soon as it is
 * picked.
 */
export function Receipts({ review, line, mayAct }: ReceiptsProps) {
  const attaching = useAttaching(review, line);
  const links = attachmentsFormOf(line.act?.documentLinks);
  if (line.act === null || line.act.action === 'exclude') return null;
  return (
    <>
      {links.length > 0 && <AttachmentList links={links} />}
      {attaching.problem !== undefined && <InlineAlert kind="Error">{attaching.problem}</InlineAlert>}
      {mayAct && (
        <div>
          <FilePicker buttonLabel="Attach Receipt" disabled={attaching.isBusy} single onFiles={attaching.take} />
        </div>
      )}
    </>
  );
}

/**
 * Uploads a file and attaches it. If no response arrives, the same file is sent again with the same idempotency keys.
 */
function useAttaching(review: Review, line: BankLine) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const keys = useRef(new Map<string, string>());
  const closing = useRef(new AbortController());
  useEffect(() => {
    const own = new AbortController();
    closing.current = own;
    return () => own.abort();
  }, []);
  const attach = async (file: File) => {
    const name = `${file.name} ${file.size} ${file.lastModified}`;
    const key = keys.current.get(name) ?? newKey();
    keys.current.set(name, key);
    setBusy(true);
    setProblem(undefined);
    try {
      const { documentId } = await uploadFile(file, { key, onProgress: () => {}, signal: closing.current.signal });
      await review.deliver(line, { action: 'attach', documentLinks: [{ documentId }] });
      keys.current.delete(name);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, problem, take: (files: File[]) => void (files[0] && attach(files[0])) };
}
