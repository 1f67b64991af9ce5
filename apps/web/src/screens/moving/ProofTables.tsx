import { type Move, type MoveResult, movingCalls, type ProofRow } from '@evenkeel/contract/moving';
import { type Cents } from '@evenkeel/core/money';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconDownload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ask, messageOf, useRead } from '../../client/api.ts';
import { call } from '../../client/transport.ts';
import { Loaded } from '../../records/Loaded.tsx';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { useNarrow } from '../../ui/hooks/media.ts';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { Amount } from '../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { Status } from '../../ui/show/Status.tsx';
import { Heads } from '../../ui/table/Heads.tsx';

/** A difference: 0.00 in green, or any other amount in red. */
export function Difference({ value }: { value: Cents }) {
  return (
    <span className="mv-difference" data-zero={value === 0 ? '' : undefined}>
      <Amount value={value} />
    </span>
  );
}

/** A right-aligned table cell with an amount. */
export function AmountCell({ children }: { children: ReactNode }) {
  return (
    <td data-kind="amount" data-right="">
      {children}
    </td>
  );
}

/** The comparisons in the proof, each with both amounts. */
export function ProofTable({ rows, source }: { rows: readonly ProofRow[]; source: string }) {
  if (useNarrow()) {
    return (
      <ul className="mv-cards" aria-label="Proof">
        {rows.map((row) => (
          <li key={row.name}>
            <span className="ek-medium">{row.name}</span>
            <Difference value={row.difference} />
            <span className="ek-muted ek-small">{row.compared}</span>
            <span className="ek-muted ek-small ek-num">
              <Amount value={row.source} />
            </span>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div className="mv-box">
      <table className="ek-t ek-heads mv-table" aria-label="Proof">
        <Heads texts={['Proof', 'Compared']} numbers={[source, 'Evenkeel', 'Difference']} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td data-kind="text" title={row.name}>
                {row.name}
              </td>
              <td data-kind="text" data-quiet="" title={row.compared}>
                {row.compared}
              </td>
              <AmountCell>
                <Amount value={row.source} />
              </AmountCell>
              <AmountCell>
                <Amount value={row.ledger} />
              </AmountCell>
              <AmountCell>
                <Difference value={row.difference} />
              </AmountCell>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ProofMonthsProps {
  move: Move;
  result: MoveResult;
  source: string;
}

/** The trial balance at each month end, newest first. A row opens its accounts. */
export function ProofMonths({ move, result: { months }, source }: ProofMonthsProps) {
  const [opened, open] = useState<IsoDate>();
  const isNarrow = useNarrow();
  const agreeing = months.filter(({ differing }) => differing === 0).length;
  return (
    <>
      <div className="mv-head">
        <h2>Trial balance by month end</h2>
        <span className="ek-muted ek-small">
          {`${agreeing} of ${months.length} agree. Select a month to compare its accounts.`}
        </span>
        <DownloadProof id={move.id} />
      </div>
      <div className="mv-box">
        <table
          className="ek-t ek-heads mv-table mv-months"
          data-density="compact"
          aria-label="Trial balance by month end"
        >
          <Heads
            texts={['Month End']}
            numbers={[...(isNarrow ? [] : ['Accounts', `${source} Debits`]), 'Evenkeel Debits', 'Difference']}
          />
          {months.map((month) => (
            <tbody key={month.monthEnd}>
              <tr data-item="" onClick={() => open(opened === month.monthEnd ? undefined : month.monthEnd)}>
                <td data-kind="number">
                  <button type="button" className="mv-month" aria-expanded={opened === month.monthEnd}>
                    {opened === month.monthEnd ? (
                      <IconChevronDown {...ICON_SMALL} />
                    ) : (
                      <IconChevronRight {...ICON_SMALL} />
                    )}
                    {formatDate(month.monthEnd)}
                  </button>
                </td>
                {!isNarrow && (
                  <>
                    <td data-kind="number" data-right="">
                      {month.accounts.toLocaleString('en-US')}
                    </td>
                    <AmountCell>
                      <Amount value={month.source} />
                    </AmountCell>
                  </>
                )}
                <AmountCell>
                  <Amount value={month.ledger} />
                </AmountCell>
                <AmountCell>
                  <Difference value={month.difference} />
                </AmountCell>
              </tr>
              {opened === month.monthEnd && (
                <tr>
                  <td colSpan={isNarrow ? 3 : 5} className="mv-note">
                    <MonthAccounts id={move.id} monthEnd={month.monthEnd} source={source} />
                  </td>
                </tr>
              )}
            </tbody>
          ))}
        </table>
      </div>
    </>
  );
}

/** The account balances at a month end, in the source and in Evenkeel. */
function MonthAccounts({ id, monthEnd, source }: { id: number; monthEnd: IsoDate; source: string }) {
  const read = useRead(ask(movingCalls.getMoveProof, { params: { id }, query: { monthEnd } }));
  return (
    <Loaded read={read}>
      {(accounts) => (
        <table className="ek-mini" aria-label={`Accounts at ${formatDate(monthEnd)}`}>
          <Heads texts={['Account']} numbers={[source, 'Evenkeel', 'Difference']} />
          <tbody>
            {accounts.map((account) => (
              <tr key={account.key}>
                <td>{`${account.number} ${account.name}`.trim()}</td>
                <td data-right="">
                  <Amount value={account.source} />
                </td>
                <td data-right="">
                  <Amount value={account.ledger} />
                </td>
                <td data-right="">
                  <Difference value={account.difference} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Loaded>
  );
}

/** Downloads the balances of all accounts at all month ends. */
function DownloadProof({ id }: { id: number }) {
  const alerts = useAlerts();
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { bytes } = await call(movingCalls.downloadMoveProof, { params: { id } });
      saveFile('trial-balances.csv', [new Uint8Array(bytes)]);
    } catch (error) {
      alerts.error(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      className="mv-download"
      variant="subtle"
      size="xs"
      loading={isBusy}
      leftSection={<IconDownload {...ICON_SMALL} />}
      onClick={() => void save()}
    >
      Download CSV
    </Button>
  );
}

/** Whether a comparison agrees, as a badge. */
export function Agreement({ row: { differing, total, difference } }: { row: ProofRow }) {
  if (difference === 0) return <Status look="done">Agrees</Status>;
  const words = total > 1 ? `${differing} of ${total} ${differing === 1 ? 'differs' : 'differ'}` : 'Differs';
  return <Status look="wrong">{words}</Status>;
}
