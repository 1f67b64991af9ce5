import { type ReactNode, Suspense } from 'react';
import { useMay } from '../../client/session.ts';
import { usePlace } from '../../records/place.ts';
import { lazyPart } from '../../ui/lazy/lazyPart.tsx';
import type { FooterAction } from '../../ui/overlay/FooterBar.tsx';
import type { SendSubject } from './subjects.ts';

const SendDialog = lazyPart(async () => (await import('./SendDialog.tsx')).default);

interface SendingParts {
  action: FooterAction | undefined;
  dialog: ReactNode;
}

/**
 * The Send button of a record, and its email dialog. The URL parameter `send` holds the record's ID next to the panel.
 * Both are missing without permission to send, or without a subject.
 */
export function useSending(id: number, subject: SendSubject | undefined): SendingParts {
  const place = usePlace();
  const may = useMay()('Manage Billing');
  if (subject === undefined || !may) return { action: undefined, dialog: undefined };
  const onClick = () => place.go({ send: id }, { step: ['send'] });
  const dialog = place.query.get('send') === String(id) && (
    <Suspense fallback={null}>
      <SendDialog subject={subject} onClose={() => place.go({ send: undefined })} />
    </Suspense>
  );
  return { action: { label: subject.label, onClick }, dialog };
}
