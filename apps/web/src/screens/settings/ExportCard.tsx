import { closingCalls } from '@evenkeel/contract/closing';
import {
  type ExportAsk,
  exportFileName,
  exportFormats,
  type ExportFormat,
  rangeFault,
} from '@evenkeel/core/books/books-export';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../client/api.ts';
import { call } from '../../client/transport.ts';
import { sizeWords } from '../../parts/attachments/attachmentForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { Choice } from '../../ui/show/Choice.tsx';
import { Section } from './Section.tsx';

const LABELS: Record<ExportFormat, string> = { hledger: 'hledger', beancount: 'Beancount', csv: 'CSV' };
const FORMATS = exportFormats.map((value) => ({ value, label: LABELS[value] }));
const BASES = [
  { value: 'accrual', label: 'Accrual' },
  { value: 'cash', label: 'Cash' },
] as const;

/** Runs one export at a time. Returns its progress and a function to cancel it. */
function useExport() {
  const alerts = useAlerts();
  const [received, setReceived] = useState<number>();
  const under = useRef<AbortController>(undefined);
  useEffect(() => () => under.current?.abort(), []);
  const run = async (asked: ExportAsk): Promise<void> => {
    // A second click may arrive before React renders the button as busy.
    if (under.current !== undefined) return;
    const own = new AbortController();
    under.current = own;
    setReceived(0);
    try {
      const sending = { signal: own.signal, onBytes: setReceived };
      const { bytes } = await call(closingCalls.exportBooks, { query: asked }, sending);
      saveFile(exportFileName(asked), [new Uint8Array(bytes)]);
    } catch (error) {
      if (!own.signal.aborted) alerts.error(messageOf(error));
    } finally {
      under.current = undefined;
      setReceived(undefined);
    }
  };
  return { received, run, cancel: () => under.current?.abort() };
}

/** Exports the whole journal or a date range to a file for the accountant. */
export function ExportCard() {
  const [asked, setAsked] = useState<ExportAsk>({ format: 'csv', basis: 'accrual' });
  const { received, run, cancel } = useExport();
  const change = (part: Partial<ExportAsk>) => setAsked({ ...asked, ...part });
  const fault = rangeFault(asked);
  const isBusy = received !== undefined;
  return (
    <Section title="Accountant's Export" hint="The journal as a file for hledger, Beancount, or a spreadsheet">
      <div className="st-rows">
        <Choice
          label="Format"
          options={FORMATS}
          value={asked.format}
          onChange={(format) => change({ format })}
          disabled={isBusy}
        />
        <Choice
          label="Basis"
          options={BASES}
          value={asked.basis}
          onChange={(basis) => change({ basis })}
          disabled={isBusy}
        />
        <DateField
          label="First Day"
          hint="Leave empty to start with the first entry"
          value={asked.from ?? null}
          onChange={(from) => change({ from: from ?? undefined })}
          disabled={isBusy}
        />
        <DateField
          label="Last Day"
          hint="Leave empty to end with the last entry"
          value={asked.to ?? null}
          onChange={(to) => change({ to: to ?? undefined })}
          error={fault}
          disabled={isBusy}
        />
        <div className="st-export">
          <Button variant="default" loading={isBusy} disabled={fault !== undefined} onClick={() => void run(asked)}>
            Export
          </Button>
          {isBusy && (
            <>
              <Button variant="subtle" onClick={cancel}>
                Cancel
              </Button>
              <span role="status">{received === 0 ? 'Preparing the file...' : `${sizeWords(received)} so far`}</span>
            </>
          )}
        </div>
      </div>
    </Section>
  );
}
