import type { Permission } from '@evenkeel/contract/areas';
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
 * The Send button and email dialog for a record. The URL parameter `key` is the ID of the record whose dialog is open
 * on top of its panel. The button and the dialog are missing if the user can't send emails or `subject` is undefined.
 */
export function useSending(
  id: number,
  subject: SendSubject | undefined,
  key: 'send' | 'remind' | 'portal' = 'send',
  needs: Permission = 'Manage Billing',
): SendingParts {
  const place = usePlace();
  const may = useMay()(needs);
  if (subject === undefined || !may) return { action: undefined, dialog: undefined };
  const onClick = () => place.go({ [key]: id }, { step: [key] });
  const dialog = place.query.get(key) === String(id) && (
    <Suspense fallback={null}>
      <SendDialog subject={subject} onClose={() => place.go({ [key]: undefined })} />
    </Suspense>
  );
  return { action: { label: subject.label, onClick }, dialog };
}
