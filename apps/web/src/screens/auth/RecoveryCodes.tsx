import { Button } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { ICON_SMALL } from '../../ui/show/icons.ts';

/** A button that copies text. Hidden without a secure connection, because the clipboard is not available then. */
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

/** Ten recovery codes in two columns, to print or download. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `Evenkeel recovery codes. Each code works only once.\n\n${codes.join('\n')}\n`;
  return (
    <>
      <ol className="ac-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="ac-acts">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload {...ICON_SMALL} />}
          onClick={() => saveFile('evenkeel-recovery-codes.txt', [text])}
        >
          Download
        </Button>
        <CopyButton label="Copy all" text={codes.join('\n')} />
      </div>
    </>
  );
}
