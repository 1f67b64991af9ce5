import { type Move, type MoveResult, movingCalls } from '@evenkeel/contract/moving';
import { formatDate } from '@evenkeel/core/dates';
import { moveSource } from '@evenkeel/core/moving/sources';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { messageOf } from '../../client/api.ts';
import { call } from '../../client/transport.ts';
import { sizeWords } from '../../parts/attachments/attachmentForm.ts';
import { recordAddress } from '../../parts/ledger/places.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { useHomeRoom, useNarrow } from '../../ui/hooks/media.ts';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { FooterQuestion } from '../../ui/overlay/ConfirmDelete.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { counted } from '../../ui/show/words.ts';
import { contentsOf, FileName } from './FileList.tsx';
import { SETTINGS } from './MoveFrame.tsx';
import { useMoveActions } from './moves.ts';
import { ProofMonths, ProofTable } from './ProofTables.tsx';

/** The permanent report of an import: its amounts, proof, and files, and the button that undoes the import. */
export function ResultPage({ move }: { move: Move }) {
  const actions = useMoveActions(move.id);
  const [isAsking, setAsking] = useState(false);
  const isNarrow = useNarrow();
  const print = usePrint(move);
  const { report, undo } = move;
  const isUndone = move.status === 'undone';
  const isUndoing = move.status === 'undoing' || actions.busy === 'undo';
  const canUndo = undo !== null && undo.dependents.length === 0 && !isUndoing;
  const day = move.importedAt === null ? '' : new Date(move.importedAt).toLocaleDateString('en-US');
  const ask = { label: 'Undo Import', disabled: !canUndo, onClick: () => setAsking(true) };
  return (
    <Page
      title={`Import on ${day}`}
      {...(isNarrow
        ? {}
        : { meta: isUndone ? <Status look="void">Undone</Status> : <Status look="done">Completed</Status> })}
      back={{ label: 'Back to Move In', to: SETTINGS.to }}
      more={isNarrow ? [{ label: 'PDF', onClick: print }, ...(isUndone ? [] : [{ ...ask, danger: true }])] : []}
      aside={
        !isNarrow && (
          <>
            <Button variant="default" leftSection={<IconDownload {...ICON_SMALL} />} onClick={print}>
              PDF
            </Button>
            {!isUndone && (
              <Button
                className="ek-btn-delete"
                variant="subtle"
                disabled={ask.disabled}
                loading={isUndoing}
                leftSection={<IconArrowBackUp {...ICON_SMALL} />}
                onClick={ask.onClick}
              >
                {ask.label}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="mv-proof">
        <section className="mv-proof-main" aria-label="Report" tabIndex={0}>
          {report !== null && <Report move={move} report={report} />}
        </section>
        <aside className="mv-proof-side" aria-label="Summary" tabIndex={0}>
          <Summary move={move} report={report} />
          {undo !== null && <UndoNote undo={undo} />}
        </aside>
      </div>
      {isAsking && undo !== null && (
        <FooterQuestion
          question={`Undo this import? ${undoWords(undo)} will be removed.`}
          stay={{ label: 'Cancel', onClick: () => setAsking(false) }}
          go={{
            label: 'Undo Import',
            onClick: () => {
              setAsking(false);
              void actions.undo();
            },
          }}
        />
      )}
    </Page>
  );
}

function usePrint({ id, importedAt }: Move): () => void {
  const alerts = useAlerts();
  return () => {
    call(movingCalls.printMove, { params: { id } }).then(
      (bytes) => saveFile(`import-${(importedAt ?? '').slice(0, 10)}.pdf`, [new Uint8Array(bytes)]),
      (error: unknown) => alerts.error(messageOf(error)),
    );
  };
}

/** Returns text such as "14,372 transactions, 1,201 records, and 34 open documents". */
function undoWords({ transactions, records, documents }: NonNullable<Move['undo']>): string {
  const parts = [
    counted(transactions, { one: 'transaction', many: 'transactions' }),
    counted(records, { one: 'record', many: 'records' }),
    counted(documents, { one: 'open document', many: 'open documents' }),
  ];
  return `${parts[0]}, ${parts[1]}, and ${parts[2]}`;
}

const recordsOf = ({ counts }: MoveResult): number =>
  counts.accountsCreated + counts.customers + counts.vendors + counts.products;

function Report({ move, report }: { move: Move; report: MoveResult }) {
  const { counts } = report;
  const isNarrow = useNarrow();
  const hasSize = useHomeRoom();
  const { short } = moveSource(move.system);
  const number = (count: number) => count.toLocaleString('en-US');
  const figures = [
    ['Transactions', number(counts.transactions)],
    ['Records', number(move.undo?.records ?? recordsOf(report))],
    ['Open documents', number(counts.openInvoices + counts.unpaidBills + counts.credits)],
  ] as const;
  return (
    <>
      <dl className="mv-figures">
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt className="ek-muted ek-small">{label}</dt>
            <dd className="ek-figure-value">{value}</dd>
          </div>
        ))}
        <div>
          <dt className="ek-muted ek-small">Difference</dt>
          <dd className="ek-figure-value mv-difference" data-zero={report.totalDifference === 0 ? '' : undefined}>
            <Amount value={report.totalDifference} />
          </dd>
        </div>
      </dl>
      <div className="mv-head">
        <h2>Proof</h2>
        <span className="ek-muted ek-small">
          Calculated when the import was saved, <MomentText value={report.at} />
        </span>
      </div>
      <ProofTable rows={report.proof} source={short} />
      <h2 className="mv-gap">Files</h2>
      {isNarrow ? (
        <ul className="mv-cards" aria-label="Files">
          {move.files.map((file) => (
            <li key={file.id}>
              <span className="ek-medium mv-wrap">{file.name}</span>
              <span />
              <span className="ek-muted ek-small">{`${contentsOf(file)} · ${sizeWords(file.size)}`}</span>
            </li>
          ))}
        </ul>
      ) : (
        <div className="mv-box">
          <table className="ek-t ek-heads mv-table" aria-label="Files">
            <thead>
              <tr>
                <th scope="col">File</th>
                {hasSize && (
                  <th scope="col" data-right="">
                    Size
                  </th>
                )}
                <th scope="col">SHA-256</th>
                <th scope="col" data-right="" className="mv-contents">
                  Contents
                </th>
              </tr>
            </thead>
            <tbody>
              {move.files.map((file) => (
                <tr key={file.id}>
                  <FileName name={file.name} />
                  {hasSize && (
                    <td data-kind="number" data-right="">
                      {sizeWords(file.size)}
                    </td>
                  )}
                  <td>
                    <Digest sha256={file.sha256} />
                  </td>
                  <td data-kind="number" data-right="">
                    {contentsOf(file)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ProofMonths move={move} result={report} source={short} />
    </>
  );
}

/** The first and last 8 digits of a file's SHA-256. A click copies the complete hash. */
function Digest({ sha256 }: { sha256: string }) {
  const alerts = useAlerts();
  const short = `${sha256.slice(0, 4)} ${sha256.slice(4, 8)} … ${sha256.slice(-8, -4)} ${sha256.slice(-4)}`;
  const copy = () =>
    void navigator.clipboard.writeText(sha256).then(
      () => alerts.info('SHA-256 copied'),
      () => alerts.error('The SHA-256 could not be copied. Select and copy it from the PDF.'),
    );
  return (
    <button type="button" className="mv-digest" title={sha256} aria-label={`Copy SHA-256 ${short}`} onClick={copy}>
      {short}
    </button>
  );
}

function Summary({ move, report }: { move: Move; report: MoveResult | null }) {
  const { importedBy, undoneBy, undoneAt } = move;
  const created = report?.counts.accountsCreated ?? 0;
  const matched = (report?.counts.accounts ?? 0) - created;
  const period =
    report === null || report.from === null || report.to === null
      ? ''
      : `${formatDate(report.from)} – ${formatDate(report.to)}`;
  return (
    <div className="mv-facts">
      <Facts
        facts={[
          { label: 'Imported by', value: importedBy?.name ?? '' },
          { label: 'Source', value: moveSource(move.system).label },
          { label: 'Period', value: period },
          {
            label: 'Accounts',
            value: `${matched.toLocaleString('en-US')} matched, ${created.toLocaleString('en-US')} created`,
          },
          { label: 'Rows rejected', value: (report?.rejected.length ?? 0).toLocaleString('en-US') },
          {
            label: 'Duration',
            value: counted(Math.max(1, Math.round(report?.seconds ?? 0)), { one: 'second', many: 'seconds' }),
          },
          ...(undoneAt === null
            ? []
            : [
                { label: 'Undone by', value: undoneBy?.name ?? '' },
                { label: 'Undone', value: <MomentText value={undoneAt} /> },
              ]),
        ]}
      />
      {report !== null && report.rejected.length > 0 && (
        <details className="mv-rejects">
          <summary>Rows rejected</summary>
          <ul className="mv-rows">
            {report.rejected.map(({ file, row, text }) => (
              <li key={`${file} ${row ?? ''} ${text}`} className="ek-small">
                {text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** The record's name as a link, if a screen shows the record. */
const RecordLink = ({ address, label }: { address: string | undefined; label: string }) =>
  address === undefined ? <span className="ek-medium">{label}</span> : <NameLink to={address}>{label}</NameLink>;

const LATER = { one: 'later record depends', many: 'later records depend' };

function UndoNote({ undo }: { undo: NonNullable<Move['undo']> }) {
  const { dependents } = undo;
  return (
    <>
      <h2 className="mv-gap">Undo</h2>
      <p className="ek-second">{`Undo Import removes everything that this import added: ${undoWords(undo)}.`}</p>
      {dependents.length > 0 && (
        <>
          <InlineAlert kind="Warning">
            <span className="ek-medium">{`${counted(dependents.length, LATER)} on this import. `}</span>
            {`Delete ${dependents.length === 1 ? 'it' : 'them'} before you undo the import.`}
          </InlineAlert>
          <ul className="mv-rows">
            {dependents.map(({ source, id, label, amount, text }) => (
              <li key={`${source} ${id}`}>
                <span className="mv-dependent">
                  <RecordLink address={recordAddress(source, id)} label={label} />
                  <Amount value={amount} />
                </span>
                <span className="ek-second ek-small mv-line">{text}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="ek-muted ek-small">Importing the same files again adds nothing.</p>
    </>
  );
}
