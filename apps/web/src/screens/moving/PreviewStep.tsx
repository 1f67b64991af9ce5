import type { MoveResult } from '@evenkeel/contract/moving';
import { moveSource } from '@evenkeel/core/moving/sources';
import { Button } from '@mantine/core';
import { usePlace } from '../../records/place.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { StepFoot } from '../../ui/overlay/StepFoot.tsx';
import { useNarrow } from '../../ui/hooks/media.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { Verdict } from '../../ui/show/Verdict.tsx';
import { counted } from '../../ui/show/words.ts';
import { MoveFrame } from './MoveFrame.tsx';
import type { StepProps } from './steps.ts';
import { useMoveActions } from './moves.ts';
import { ProofFailed, ProofSide } from './ProofFailed.tsx';
import { ProofMonths, ProofTable } from './ProofTables.tsx';
import { RunningStep } from './RunningStep.tsx';

const TRANSACTIONS = { one: 'Transaction', many: 'Transactions' };

/** The result of the preview: the proof, the counts, and the rejected rows. */
export function PreviewStep(props: StepProps) {
  const { move } = props;
  const { go } = usePlace();
  const actions = useMoveActions(move.id);
  const isNarrow = useNarrow();
  const { preview } = move;
  if (move.status === 'previewing') return <RunningStep {...props} />;
  const back = { label: 'Back', onClick: () => go({ step: 'match' }, { step: [] }) };
  if (preview === null) {
    return (
      <MoveFrame
        step="preview"
        system={move.system}
        files={move.files.length}
        foot={
          <StepFoot back={back} note="The preview runs the full import and rolls it back. Nothing is saved.">
            <Button loading={actions.busy !== undefined} onClick={() => void actions.preview()}>
              Run Preview
            </Button>
          </StepFoot>
        }
      >
        <div className="mv-scroll mv-pad" role="region" aria-label="Preview" tabIndex={0}>
          {move.error !== null && <InlineAlert kind="Error">{move.error}</InlineAlert>}
          <h2>No preview yet</h2>
          <p className="ek-second">Run the preview to compare every balance before anything is saved.</p>
        </div>
      </MoveFrame>
    );
  }
  const { counts, proved, months, seconds } = preview;
  const differing = months.filter(({ differing: each }) => each > 0).length;
  const note = proved
    ? `${durationWords(seconds)}. You can undo the import afterward.`
    : counted(differing, { one: 'month end differs', many: 'month ends differ' });
  const { short } = moveSource(move.system);
  return (
    <MoveFrame
      step="preview"
      system={move.system}
      files={move.files.length}
      foot={
        <StepFoot back={back} note={<span data-bad={proved ? undefined : ''}>{note}</span>}>
          <Button disabled={!proved} loading={actions.busy === 'import'} onClick={() => void actions.importAll(move)}>
            Import {isNarrow ? counts.transactions.toLocaleString('en-US') : counted(counts.transactions, TRANSACTIONS)}
          </Button>
        </StepFoot>
      }
    >
      <div className="mv-proof">
        <section className="mv-proof-main" aria-label="Proof" tabIndex={0}>
          {move.error !== null && <InlineAlert kind="Error">{move.error}</InlineAlert>}
          {preview.failure === null ? (
            <>
              <Verdict
                tone="good"
                title="Every balance agrees"
                figure={<Amount value={preview.totalDifference} />}
                note="total difference"
              >
                {comparedWords(preview)} Evenkeel ran the full import and rolled it back. Nothing has been saved.
              </Verdict>
              <h2 className="mv-gap">Proof</h2>
              <ProofTable rows={preview.proof} source={short} />
              <ProofMonths move={move} result={preview} source={short} />
            </>
          ) : (
            <ProofFailed move={move} failure={preview.failure} result={preview} actions={actions} />
          )}
        </section>
        <aside className="mv-proof-side" aria-label="Summary" tabIndex={0}>
          {preview.failure === null ? <PreviewSide result={preview} /> : <ProofSide move={move} result={preview} />}
        </aside>
      </div>
    </MoveFrame>
  );
}

/** Returns a sentence such as "34 accounts at 30 month ends." */
function comparedWords({ comparedAccounts, months }: MoveResult): string {
  const accounts = counted(comparedAccounts, { one: 'account', many: 'accounts' });
  return `${accounts} at ${counted(months.length, { one: 'month end', many: 'month ends' })}.`;
}

function durationWords(seconds: number): string {
  if (seconds < 60) return `About ${counted(Math.max(1, Math.round(seconds)), { one: 'second', many: 'seconds' })}`;
  return `About ${counted(Math.round(seconds / 60), { one: 'minute', many: 'minutes' })}`;
}

/** The counts, the rejected rows, and the data that isn't imported. */
function PreviewSide({ result }: { result: MoveResult }) {
  const { counts, rejected, notImported } = result;
  const { accountsCreated: created } = counts;
  const number = (count: number) => count.toLocaleString('en-US');
  return (
    <>
      <h2>Records to import</h2>
      <div className="mv-facts">
        <Facts
          facts={[
            { label: 'Transactions', value: number(counts.transactions) },
            { label: created === 0 ? 'Accounts' : `Accounts (${number(created)} new)`, value: number(counts.accounts) },
            { label: 'Customers', value: number(counts.customers) },
            { label: 'Vendors', value: number(counts.vendors) },
            { label: 'Products', value: number(counts.products) },
            { label: 'Open invoices', value: number(counts.openInvoices) },
            { label: 'Unpaid bills', value: number(counts.unpaidBills) },
            ...(counts.credits === 0 ? [] : [{ label: 'Credits', value: number(counts.credits) }]),
            ...(counts.known === 0 ? [] : [{ label: 'Already imported', value: number(counts.known) }]),
          ]}
        />
      </div>
      {rejected.length > 0 && (
        <>
          <div className="mv-head">
            <h2>{`${counted(rejected.length, { one: 'row', many: 'rows' })} rejected`}</h2>
            <span className="ek-muted ek-small">No balance is affected</span>
          </div>
          <ul className="mv-rows">
            {rejected.map(({ file, row, text }) => (
              <li key={`${file} ${row ?? ''} ${text}`}>
                <span className="ek-medium">{file}</span>
                {row !== undefined && <span className="ek-muted">{` row ${row.toLocaleString('en-US')}`}</span>}
                <span className="ek-second ek-small mv-line">{text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h2 className="mv-gap">{'Not imported'}</h2>
      <ul className="mv-limits" data-one="">
        {notImported.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </>
  );
}
