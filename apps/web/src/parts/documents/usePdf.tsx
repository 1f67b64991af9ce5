import { useState } from 'react';
import { type Ask, useReadNow } from '../../client/api.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { PdfPanel, type PdfPanelProps } from '../../ui/overlay/PdfPanel.tsx';

/** A paper in the PDF panel: `open` asks for it, `panel` shows it once it is there. */
export function usePdf(asked: Ask<Uint8Array> | undefined, names: Pick<PdfPanelProps, 'title' | 'fileName'>) {
  const alerts = useAlerts();
  const readNow = useReadNow();
  const [file, setFile] = useState<Blob | null>(null);
  const open = () => {
    if (asked === undefined) return;
    readNow(asked).then(
      (bytes) => setFile(new Blob([new Uint8Array(bytes)], { type: 'application/pdf' })),
      () => alerts.error('Error Loading Document'),
    );
  };
  return { open, panel: <PdfPanel file={file} {...names} onClose={() => setFile(null)} /> };
}
