import { ask } from '../../client/api.ts';
import { usePdf } from '../documents/panel/usePdf.tsx';
import { titled } from '../documents/side.ts';
import { SendButton } from './SendButton.tsx';
import { SendHistory } from './SendHistory.tsx';
import { documentSubject, type SentSource } from './subjects.ts';
import { useSending } from './useSending.tsx';

/** The parts of a document's panel that preview and send it. `number` is undefined until the document is read. */
export function useSentDocument(
  of: SentSource,
  { id, number, isSendable }: { id: number; number: string | undefined; isSendable: boolean },
) {
  const { label } = of.kind.mail;
  const subject = documentSubject(of, id);
  const { action, dialog } = useSending(id, subject);
  const preview = usePdf(number === undefined ? undefined : ask(of.calls.view, { params: { id } }), {
    title: `${titled(label)} ${number ?? ''}`,
    fileName: `${label.toLowerCase().replace(' ', '-')}-${number ?? ''}.pdf`,
  });
  return {
    preview: { label: 'Preview', onClick: preview.open, quiet: true },
    tools: action !== undefined && isSendable && <SendButton action={action} />,
    sending: <SendHistory subject={subject} />,
    below: (
      <>
        {preview.panel}
        {dialog}
      </>
    ),
  };
}
