import type { Move, MoveResult, ProofAccount, ProofCandidate, ProofFailure } from '@evenkeel/contract/moving';
import { formatDate } from '@evenkeel/core/dates';
import { formatAmount } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { moveSource } from '@evenkeel/core/moving/sources';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { FilePicker } from '../../ui/fields/FileDrop.tsx';
import { useNarrow, useWide } from '../../ui/hooks/media.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { Verdict } from '../../ui/show/Verdict.tsx';
import { counted } from '../../ui/show/words.ts';
import { Heads } from '../../ui/table/Heads.tsx';
import { type MoveActions, useUploads } from './moves.ts';
import { Agreement, AmountCell, Difference } from './ProofTables.tsx';

interface ProofFailedProps {
  move: Move;
  failure: ProofFailure;
  result: MoveResult;
  actions: MoveActions;
}

const OTHERS = { one: 'other account', many: 'other accounts' };

/** A failed proof: the accounts that differ, and the rows that could explain the differences. Nothing was written. */
export function ProofFailed({ move, failure, result, actions }: ProofFailedProps) {
  const { short } = moveSource(move.system);
  const [first] = failure.accounts;
  const { replace } = useUploads(move, actions);
  const replaced = async (fileId: number, files: readonly File[]) => {
    await replace(fileId, files);
    await actions.preview();
  };
  return (
    <>
      <Verdict
        tone="bad"
        title={failure.title}
        figure={
          first === undefined ? (
            <Amount value={result.totalDifference} />
          ) : (
            formatAmount(first.difference).replace(/[()]/g, '')
          )
        }
        note={first === undefined ? 'total difference' : `first at ${formatDate(first.monthEnd)}`}
      >
        {`${failure.text} Nothing has been saved.`}
      </Verdict>
      {failure.accounts.length > 0 && <DifferingAccounts failure={failure} result={result} source={short} />}
      {failure.parties.length > 0 && (
        <>
          <h2 className="mv-gap">Receivables and payables</h2>
          <div className="mv-box">
            <table className="ek-t ek-heads mv-table" aria-label="Customers and vendors that differ">
              <Heads texts={['Name']} numbers={[short, 'Evenkeel', 'Difference']} />
              <tbody>
                {failure.parties.map(({ side, party, source, ledger, difference }) => (
                  <tr key={`${side} ${party}`}>
                    <td data-kind="text" title={party}>
                      {party}
                    </td>
                    <AmountCell>
                      <Amount value={source} />
                    </AmountCell>
                    <AmountCell>
                      <Amount value={ledger} />
                    </AmountCell>
                    <AmountCell>
                      <Difference value={difference} />
                    </AmountCell>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      {failure.candidates.length > 0 && (
        <>
          <div className="mv-head">
            <h2>Rows that could explain the difference</h2>
            <span className="ek-muted ek-small">Best first</span>
          </div>
          <ol className="mv-box mv-candidates">
            {failure.candidates.map((candidate, at) => (
              <Candidate
                // oxlint-disable-next-line react/no-array-index-key -- Two candidates may have the same title.
                key={at}
                number={at + 1}
                candidate={candidate}
                move={move}
                onReplace={(files) => void replaced(candidate.replaceFileId, files)}
              />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

interface DifferingProps {
  failure: ProofFailure;
  result: MoveResult;
  source: string;
}

/**
 * The accounts that differ. Each row shows the last month in which the balances agree, the first month in which they
 * differ, and the final month.
 */
function DifferingAccounts({ failure: { accounts, otherAccounts }, result, source }: DifferingProps) {
  const [isNarrow, isWide] = [useNarrow(), useWide()];
  const [first] = accounts;
  const last = result.months[0]?.monthEnd;
  const others = otherAccounts > 0 && counted(otherAccounts, OTHERS);
  return (
    <>
      <div className="mv-head">
        <h2>Difference by month end</h2>
        <span className="ek-muted ek-small">{`Evenkeel less ${source}, debits positive`}</span>
      </div>
      {isNarrow ? (
        <ul className="mv-cards" aria-label="Difference by month end">
          {accounts.map((account) => (
            <li key={account.key}>
              <span className="ek-medium">{nameOf(account)}</span>
              <Difference value={account.difference} />
              <span className="ek-muted ek-small">{`First at ${formatDate(account.monthEnd)}`}</span>
              <span className="ek-muted ek-small ek-num">{`${formatAmount(account.source)} in ${source}`}</span>
            </li>
          ))}
          {others !== false && (
            <li>
              <span className="ek-medium">{others}</span>
              <span className="mv-difference" data-zero="">
                0.00
              </span>
            </li>
          )}
        </ul>
      ) : (
        <div className="mv-box">
          <table className="ek-t ek-heads mv-table" aria-label="Difference by month end">
            <Heads
              texts={['Account']}
              numbers={[
                isWide && 'Last Agreeing',
                source,
                'Evenkeel',
                first === undefined ? 'Difference' : formatDate(first.monthEnd),
                last === undefined || last === first?.monthEnd ? 'Final' : formatDate(last),
              ]}
            />
            <tbody>
              {accounts.map((account) => (
                <tr key={account.key}>
                  <td data-kind="text" className="ek-medium" title={nameOf(account)}>
                    {nameOf(account)}
                  </td>
                  {isWide && (
                    <td data-kind="number" data-right="" data-quiet="">
                      {account.lastAgreeing === null ? NOTHING : formatDate(account.lastAgreeing)}
                    </td>
                  )}
                  <td data-kind="amount" data-right="" data-quiet="">
                    <Amount value={account.source} />
                  </td>
                  <td data-kind="amount" data-right="" data-quiet="">
                    <Amount value={account.ledger} />
                  </td>
                  <AmountCell>
                    <Difference value={account.difference} />
                  </AmountCell>
                  <AmountCell>
                    <Difference value={account.differenceAtEnd} />
                  </AmountCell>
                </tr>
              ))}
              {others !== false && (
                <tr>
                  <td className="ek-muted" colSpan={isWide ? 4 : 3}>
                    {others}
                  </td>
                  {[1, 2].map((each) => (
                    <td key={each} data-kind="amount" data-right="">
                      <span className="mv-difference" data-zero="">
                        0.00
                      </span>
                    </td>
                  ))}
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

const nameOf = ({ number, name }: ProofAccount): string => `${number} ${name}`.trim();

interface CandidateProps {
  number: number;
  candidate: ProofCandidate;
  move: Move;
  onReplace: (files: readonly File[]) => void;
}

/** A row that could explain the difference, with one action. The most likely row shows its lines. */
function Candidate({ number, candidate, move, onReplace }: CandidateProps) {
  const [isOpen, setOpen] = useState(number === 1);
  const file = move.files.find(({ id }) => id === candidate.replaceFileId);
  return (
    <li>
      <span className="mv-number ek-num" aria-hidden="true">
        {number}
      </span>
      <div className="ek-grow">
        <p className="mv-title">
          <span className="ek-medium">{candidate.title}</span>
          {candidate.exact && <Status look="done">Equals the difference</Status>}
        </p>
        <p className="ek-second ek-small">{candidate.text}</p>
        {isOpen && candidate.rows.length > 0 && <Snippet rows={candidate.rows} label={candidate.title} />}
      </div>
      {file === undefined ? (
        candidate.rows.length > 0 && (
          <Button size="xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide Rows' : 'Show Rows'}
          </Button>
        )
      ) : (
        <FilePicker
          single
          icon={null}
          size="xs"
          buttonLabel={`Replace ${file.name.replace(/\.\w+$/, '')}`}
          onFiles={onReplace}
        />
      )}
    </li>
  );
}

/** The lines from the files, with the differing amounts marked. */
function Snippet({ rows, label }: { rows: ProofCandidate['rows']; label: string }) {
  return (
    <div className="mv-snippet" role="region" aria-label={`Rows: ${label}`} tabIndex={0}>
      <table>
        <Heads texts={['File', 'Row', 'Date', 'Number', 'Account']} numbers={['Amount']} />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.file} ${row.row} ${row.account}`}>
              <td>{row.file}</td>
              <td className="ek-num">{row.row.toLocaleString('en-US')}</td>
              <td className="ek-num">{row.date === null ? NOTHING : formatDate(row.date)}</td>
              <td className="ek-num">{row.number || NOTHING}</td>
              <td>{row.account}</td>
              <td className="ek-num" data-right="">
                {row.marked ? <mark>{formatAmount(row.amount)}</mark> : formatAmount(row.amount)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The comparisons in a failed proof, and the files with their upload times. */
export function ProofSide({ move, result }: { move: Move; result: MoveResult }) {
  return (
    <>
      <h2>Proof</h2>
      <div className="mv-facts">
        <Facts facts={result.proof.map((row) => ({ label: row.name, value: <Agreement row={row} /> }))} />
      </div>
      <h2 className="mv-gap">Files compared</h2>
      <div className="mv-facts">
        <Facts
          facts={move.files.map(({ name, uploadedAt }) => ({ label: name, value: <MomentText value={uploadedAt} /> }))}
        />
      </div>
      <p className="ek-muted ek-small mv-gap">
        Evenkeel never adds a correcting entry. The import is available when every difference is 0.00.
      </p>
    </>
  );
}
