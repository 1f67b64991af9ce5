import { type BankLine, statementCalls as calls } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import { formatAmount, sum } from '@evenkeel/core/money';
import { useState } from 'react';
import { ask, messageOf, send, useRead, useStale } from '../../../client/api.ts';
import { wholeList } from '../../../records/reads.ts';
import { useAlerts } from '../../../ui/alerts/Alerts.tsx';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { ErrorState } from '../../../ui/show/EmptyState.tsx';
import { counted } from '../../../ui/show/words.ts';
import { MiniTable } from '../../../ui/table/MiniTable.tsx';
import { bankLines, type LinesQuery } from '../statements/statements.ts';
import { actWord, isChoice, type Names, sentence, sizeOf, titleOf } from './work.ts';

const LINES = { one: 'line', many: 'lines' };
/** The maximum number of matches accepted at a time. */
const MOST = 500;

/** Returns the bank transactions that are safe to accept without individual review. */
export const confidentMatches = (lines: readonly BankLine[]): readonly BankLine[] =>
  lines.filter((line) => line.candidate?.sure === true && !isChoice(line));

export interface AcceptSuggestionsModalProps {
  query: LinesQuery;
  names: Names;
  /** Returns whether the user can accept a bank transaction's best suggested match. */
  mayAccept: (line: BankLine) => boolean;
  onClose: () => void;
}

/**
 * Shows all safe matches with their totals and accepts them. Each match is checked again, and matches that have changed
 * are reported.
 */
export function AcceptSuggestionsModal({ query, names, mayAccept, onClose }: AcceptSuggestionsModalProps) {
  const read = useRead(bankLines({ ...query, sure: 'true' }));
  const rows = confidentMatches(wholeList(read.value) ?? [])
    .filter(mayAccept)
    .slice(0, MOST);
  const accepting = useAccepting(onClose);
  const ins = rows.filter(({ amount }) => amount > 0);
  const outs = rows.filter(({ amount }) => amount <= 0);
  return (
    <AppModal
      opened
      title="Accept Suggested Matches"
      size="lg"
      grows
      onClose={onClose}
      footer={{
        primary: {
          label: `Accept ${counted(rows.length, LINES)}`,
          onClick: () => accepting.accept(rows),
          busy: accepting.isBusy,
          disabled: rows.length === 0,
        },
        total: <span className="ek-num">{`${sumOf(ins)} in, ${sumOf(outs)} out`}</span>,
        ...(accepting.error === undefined ? {} : { error: accepting.error }),
      }}
    >
      {read.error !== undefined && <ErrorState message={read.error} onRetry={read.retry} />}
      {read.isLoading && (
        <p className="ek-modal-wait" role="status">
          Loading...
        </p>
      )}
      {accepting.refused.length > 0 && (
        <ul className="rv-refused" role="alert">
          {accepting.refused.map(({ text, message }) => (
            <li key={text}>{`${text}: ${message}`}</li>
          ))}
        </ul>
      )}
      <MiniTable<BankLine>
        label="Suggested matches"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { header: 'Bank Description', render: ({ date, text }) => `${formatDate(date)} ${text}` },
          {
            header: 'In Your Books',
            render: (line) =>
              line.candidate && (
                <>
                  {titleOf(line.candidate, line, names)}
                  <div className="ek-muted ek-small">{sentence(line.candidate.reason)}</div>
                </>
              ),
          },
          { header: 'Then', render: (line) => line.candidate && actWord(line.candidate, line.amount) },
          { header: 'Amount', right: true, render: ({ amount }) => <Amount value={amount} /> },
        ]}
      />
    </AppModal>
  );
}

const sumOf = (rows: readonly BankLine[]): string => formatAmount(sizeOf(sum(rows.map(({ amount }) => amount))));

interface Refused {
  text: string;
  message: string;
}

function useAccepting(onClose: () => void) {
  const alerts = useAlerts();
  const stale = useStale();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const accept = async (rows: readonly BankLine[]) => {
    setBusy(true);
    setError(undefined);
    const body = {
      ids: rows.map(({ id }) => id),
      candidates: rows.map(({ candidate }) => candidate?.key ?? ''),
    };
    try {
      const answers = await send(ask(calls.acceptBankLines, { body }));
      const failed = answers.flatMap(({ error: no }, at) =>
        no === undefined ? [] : [{ text: rows[at]?.text ?? '', message: no.message }],
      );
      alerts.success(`${counted(answers.length - failed.length, LINES)} accepted`);
      setRefused(failed);
      if (failed.length === 0) onClose();
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setBusy(false);
      stale();
    }
  };
  return { accept: (rows: readonly BankLine[]) => void accept(rows), isBusy, error, refused };
}
