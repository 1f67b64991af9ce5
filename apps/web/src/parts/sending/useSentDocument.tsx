import { ask } from '../../client/api.ts';
import { usePdf } from '../documents/panel/usePdf.tsx';
import { titled } from '../documents/side.ts';
import { SendHistory } from './SendHistory.tsx';
import { documentSubject, type SentSource } from './subjects.ts';
import { useSending } from './useSending.tsx';

interface SentDocument {
  id: number;
  number: string | undefined;
  isSendable: boolean;
  /** Whether the document has been sent before. */
  isSent?: boolean;
}

/**
 * Returns the parts of a document's panel that preview and send the document. `number` is undefined until the document
 * is loaded.
 * `send` is undefined if the document can't be sent or the user has no permission to send it.
 */
export function useSentDocument(of: SentSource, { id, number, isSendable, isSent = false }: SentDocument) {
  const { label } = of.kind.mail;
  const subject = documentSubject(of, id);
  const { action, dialog } = useSending(id, subject);
  const preview = usePdf(number === undefined ? undefined : ask(of.calls.view, { params: { id } }), {
    title: `${titled(label)} ${number ?? ''}`,
    fileName: `${label.toLowerCase().replace(' ', '-')}-${number ?? ''}.pdf`,
  });
  return {
    preview: { label: 'Preview', onClick: preview.open, quiet: true },
    send: isSendable && action !== undefined ? { ...action, label: isSent ? 'Send Again' : 'Send' } : undefined,
    sending: <SendHistory subject={subject} />,
    below: (
      <>
        {preview.panel}
        {dialog}
      </>
    ),
  };
}
