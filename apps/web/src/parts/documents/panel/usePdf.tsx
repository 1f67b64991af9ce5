import { useState } from 'react';
import { type Ask, useReadNow } from '../../../client/api.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { PdfPanel, type PdfPanelProps } from '../../../ui/overlay/PdfPanel.tsx';

/** Shows documents in the PDF panel. `show` loads a document, and `panel` displays it after it has loaded. */
export function usePapers(names: Pick<PdfPanelProps, 'title' | 'fileName'>) {
  const alerts = useAlerts();
  const readNow = useReadNow();
  const [file, setFile] = useState<Blob | null>(null);
  const show = (asked: Ask<Uint8Array>) => {
    readNow(asked).then(
      (bytes) => setFile(new Blob([new Uint8Array(bytes)], { type: 'application/pdf' })),
      () => alerts.error('Error Loading Document'),
    );
  };
  return { show, panel: <PdfPanel file={file} {...names} onClose={() => setFile(null)} /> };
}

/** Shows a record's PDF. `open` loads it. */
export function usePdf(asked: Ask<Uint8Array> | undefined, names: Parameters<typeof usePapers>[0]) {
  const { show, panel } = usePapers(names);
  return { open: () => asked !== undefined && show(asked), panel };
}
