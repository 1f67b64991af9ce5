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
import { proofFileName } from '@evenkeel/core/books/proof';
import { ask, messageOf, useRead } from '../../client/api.ts';
import { call, type Sending } from '../../client/transport.ts';
import { sizeWords } from '../../parts/attachments/attachmentForm.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { Choice } from '../../ui/show/Choice.tsx';
import { Loaded } from '../../records/Loaded.tsx';
import { CopyButton } from '../../ui/show/CopyButton.tsx';
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
  const run = async (name: string, read: (sending: Sending) => Promise<{ bytes: Uint8Array }>): Promise<void> => {
    // A second click may arrive before React renders the button as busy.
    if (under.current !== undefined) return;
    const own = new AbortController();
    under.current = own;
    setReceived(0);
    try {
      const { bytes } = await read({ signal: own.signal, onBytes: setReceived });
      saveFile(name, [new Uint8Array(bytes)]);
    } catch (error) {
      if (!own.signal.aborted) alerts.error(messageOf(error));
    } finally {
      under.current = undefined;
      setReceived(undefined);
    }
  };
  return { received, isBusy: received !== undefined, run, cancel: () => under.current?.abort() };
}

interface ExportButtonProps {
  label: string;
  disabled?: boolean;
  onClick: () => void;
  /** The export that the button starts. */
  running: Pick<ReturnType<typeof useExport>, 'received' | 'isBusy' | 'cancel'>;
}

/** A button that starts an export, with its progress. */
function ExportButton({ label, disabled = false, onClick, running: { received, isBusy, cancel } }: ExportButtonProps) {
  return (
    <div className="st-export">
      <Button variant="default" loading={isBusy} disabled={disabled} onClick={onClick}>
        {label}
      </Button>
      {received !== undefined && (
        <>
          <Button variant="subtle" onClick={cancel}>
            Cancel
          </Button>
          <span role="status">{received === 0 ? 'Preparing the file...' : `${sizeWords(received)} so far`}</span>
        </>
      )}
    </div>
  );
}

/** Exports the whole journal or a date range to a file for the accountant. */
export function ExportCard() {
  const [asked, setAsked] = useState<ExportAsk>({ format: 'csv', basis: 'accrual' });
  const running = useExport();
  const { isBusy } = running;
  const change = (part: Partial<ExportAsk>) => setAsked({ ...asked, ...part });
  const fault = rangeFault(asked);
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
          label="Start Date"
          hint="Leave empty to start with the first entry"
          value={asked.from ?? null}
          onChange={(from) => change({ from: from ?? undefined })}
          disabled={isBusy}
        />
        <DateField
          label="End Date"
          hint="Leave empty to end with the last entry"
          value={asked.to ?? null}
          onChange={(to) => change({ to: to ?? undefined })}
          error={fault}
          disabled={isBusy}
        />
        <ExportButton
          label="Export"
          disabled={fault !== undefined}
          running={running}
          onClick={() =>
            void running.run(exportFileName(asked), (sending) =>
              call(closingCalls.exportBooks, { query: asked }, sending),
            )
          }
        />
      </div>
    </Section>
  );
}

/** Returns a key in groups of four characters, so that two people can compare it. */
const inFours = (key: string): string => key.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** Exports all books to a signed file that an outsider can check, and shows the key that signs it. */
export function ProofCard() {
  const today = useToday();
  const running = useExport();
  const key = useRead(ask(closingCalls.proofKey, {}));
  return (
    <Section
      title="Proof for Outsiders"
      hint="The journal and the trial balances of every month in a signed file that anyone can check"
    >
      <div className="st-rows">
        <div className="st-fact">
          <span>Verifier</span>
          <span className="st-links">
            <Button component="a" variant="default" size="xs" href="/verify.html" download>
              Offline Page
            </Button>
            <Button component="a" variant="default" size="xs" href="/verify.mjs" download>
              Node Program
            </Button>
          </span>
        </div>
        <Loaded read={key}>
          {({ publicKey }) => (
            <div className="st-fact">
              <span className="st-key">
                <span>Public Key</span>
                <code>{inFours(publicKey)}</code>
              </span>
              <CopyButton label="Copy" text={publicKey} />
            </div>
          )}
        </Loaded>
        <ExportButton
          label="Export Proof"
          running={running}
          onClick={() =>
            void running.run(proofFileName(today), (sending) => call(closingCalls.exportProof, {}, sending))
          }
        />
      </div>
    </Section>
  );
}
