import { Button } from '@mantine/core';
import { useState } from 'react';
import { useAlerts } from '../alerts/Alerts.tsx';
import { useDraft } from '../hooks/draft.ts';
import { TextField } from '../fields/TextField.tsx';
import { AppModal } from '../overlay/AppModal.tsx';
import { PdfPanel } from '../overlay/PdfPanel.tsx';
import { Status } from '../show/Status.tsx';
import { startTour, WalkthroughButton } from '../tour/Walkthrough.tsx';
import { samplePdf } from './samplePdf.ts';
import { Section } from './Section.tsx';

export const TOUR = [
  { element: '#tour-one', title: 'Alerts', text: 'They close by themselves after three seconds.' },
  { element: '#tour-two', title: 'Modal', text: 'Ctrl+Enter saves.', side: 'top' as const },
];

export function Overlays() {
  const alerts = useAlerts();
  const [open, setOpen] = useState(false);
  const [file, setFile] = useState<Blob | null>(null);
  return (
    <Section title="What floats">
      <div className="ekg-row" id="tour-one">
        <Button variant="default" onClick={() => alerts.success('Recon saved')}>
          Success
        </Button>
        <Button variant="default" onClick={() => alerts.error('Failure Saving Invoice', { autoClose: false })}>
          Error
        </Button>
        <Button
          variant="default"
          onClick={() => alerts.info('Payment posted', { action: { label: 'Undo', run: () => undefined } })}
        >
          Info
        </Button>
        <Button variant="default" onClick={() => alerts.warning('Please enter text to search for.')}>
          Warning
        </Button>
      </div>
      <div className="ekg-row" id="tour-two">
        <Button onClick={() => setOpen(true)}>Open modal</Button>
        <Button variant="default" onClick={() => setFile(samplePdf())}>
          PDF panel
        </Button>
        <Button variant="default" onClick={() => void startTour(TOUR)}>
          Start tour
        </Button>
      </div>
      {open && <SampleModal onClose={() => setOpen(false)} />}
      <PdfPanel file={file} title="Invoice 10436" fileName="invoice-10436.pdf" onClose={() => setFile(null)} />
    </Section>
  );
}

function SampleModal({ onClose }: { onClose: () => void }) {
  const alerts = useAlerts();
  const draft = useDraft({
    name: 'gallery',
    initial: '',
    read: (stored) => (typeof stored === 'string' ? stored : undefined),
  });
  const save = () => {
    alerts.success('Saved');
    draft.clear();
    onClose();
  };
  return (
    <AppModal
      opened
      onClose={onClose}
      title="Profit Center"
      beside={<Status look="sent">Sent</Status>}
      tools={<WalkthroughButton steps={TOUR} />}
      dirty={draft.dirty}
      onDiscard={() => draft.clear()}
      footer={{
        primary: { label: 'Save', onClick: save },
        actions: [
          { label: 'Pay Invoice', onClick: () => undefined },
          { label: 'Preview Invoice', onClick: () => undefined, quiet: true },
        ],
        remove: { question: 'Delete profit center Upkeep?', onConfirm: onClose },
      }}
    >
      <TextField label="Profit Center" value={draft.value} onChange={draft.set} autoFocus />
    </AppModal>
  );
}
