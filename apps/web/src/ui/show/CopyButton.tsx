import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useAlerts } from '../alerts/Alerts.tsx';
import { ICON_SMALL } from './icons.ts';

/** A button that copies text. Hidden without a secure connection, because the clipboard is then unavailable. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const alerts = useAlerts();
  if (!window.isSecureContext) return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      alerts.success('Copied');
    } catch {
      alerts.error("Your browser doesn't allow copying");
    }
  };
  return (
    <Button variant="default" size="xs" leftSection={<IconCopy {...ICON_SMALL} />} onClick={() => void copy()}>
      {label}
    </Button>
  );
}
