import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { CopyButton } from '../../ui/show/CopyButton.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';

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
