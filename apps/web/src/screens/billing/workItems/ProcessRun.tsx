import { formatUsd } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { Loader } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useStale } from '../../../client/api.ts';
import { SendList } from '../../../parts/sending/SendList.tsx';
import { titled } from '../../../parts/documents/side.ts';
import { type Change, usePlace } from '../../../records/place.ts';
import { AppModal } from '../../../ui/overlay/AppModal.tsx';
import type { FooterBarProps } from '../../../ui/overlay/FooterBar.tsx';
import { useNarrow } from '../../../ui/hooks/media.ts';
import { Amount } from '../../../ui/show/Amount.tsx';
import { ICON_SMALL } from '../../../ui/show/icons.ts';
import { MomentText } from '../../../ui/show/MomentText.tsx';
import { NameLink } from '../../../ui/show/NameLink.tsx';
import { Status } from '../../../ui/show/Status.tsx';
import { counted } from '../../../ui/show/words.ts';
import { PartTable } from '../../../ui/table/PartTable.tsx';
import { forgetRun, goOn, type Outcome, type Row, type Run, stopRun, tally, useWatching } from './processing.ts';
import { INVOICES } from '../records.ts';
import { CUSTOMER_WORDS } from './workItems.ts';

interface ProcessRunProps {
  run: Run;
  onClose: () => void;
}

/**
 * The progress and results of a billing run, row by row. Closing the dialog doesn't stop the run. Done dismisses the
 * results.
 */
export function ProcessRun(props: ProcessRunProps) {
  const { run, onClose } = props;
  const narrow = useNarrow();
  const [isSending, setSending] = useState(false);
  const footer = useFooter(props, () => setSending(true));
  useWatching();
  const done = () => {
    forgetRun();
    onClose();
  };
  if (isSending) {
    return (
      <SendList
        rows={sendable(run).map(({ job, outcome }) => ({
          id: outcome.invoiceId,
          title: (
            <>
              {outcome.invoiceNumber} <span className="ek-second">{job.name}</span>
            </>
          ),
          body: { invoiceId: outcome.invoiceId },
        }))}
        words={INVOICES.words}
        label="Invoices"
        says="Sending the invoices."
        starts
        onClose={done}
      />
    );
  }
  return (
    <AppModal opened title={titleOf(run)} size="lg" grows onClose={onClose} footer={footer}>
      <Progress run={run} />
      {narrow ? <ResultCards run={run} /> : <ResultTable run={run} />}
    </AppModal>
  );
}

/** Returns the title. After the last invoice, the title says what the run created. */
function titleOf(run: Run): string {
  const { left, billed } = tally(run);
  if (run.isRunning || left > 0 || billed === 0) return run.of.title;
  return titled(`${counted(billed, INVOICES.words)} created`);
}

type Billed = Extract<Outcome, { is: 'billed' }>;

/** Returns the created invoices that can be sent. Omits drafts, and invoices for customers without an email address. */
function sendable({ rows }: Run): { job: Row['job']; outcome: Billed }[] {
  return rows.flatMap(({ job, outcome }) =>
    outcome.is === 'billed' && !outcome.isDraft && job.email !== '' ? [{ job, outcome }] : [],
  );
}

function useFooter({ run, onClose }: ProcessRunProps, onSend: () => void): FooterBarProps {
  const stale = useStale();
  const { left, amount, of } = tally(run);
  const total = (
    <dl className="dc-sums">
      <div>
        <dt>{run.isRunning ? `Billed so far (of ${formatUsd(of)})` : `Billed (of ${formatUsd(of)})`}</dt>
        <dd>{formatUsd(amount)}</dd>
      </div>
    </dl>
  );
  if (run.isRunning) {
    return {
      total,
      actions: [{ label: run.isStopping ? 'Stopping' : 'Stop', onClick: stopRun, disabled: run.isStopping }],
      primary: { label: 'Billing', onClick: onClose, busy: true },
    };
  }
  const done = () => {
    forgetRun();
    onClose();
  };
  const count = sendable(run).length;
  if (left === 0 && count > 0) {
    return {
      total,
      actions: [{ label: 'Not Now', onClick: done }],
      primary: {
        label: `Send These ${count.toLocaleString('en-US')}`,
        icon: <IconSend {...ICON_SMALL} />,
        onClick: onSend,
      },
    };
  }
  if (left === 0) return { total, primary: { label: 'Done', onClick: done } };
  return {
    total,
    actions: [{ label: 'Done', onClick: done, quiet: true }],
    primary: { label: `Bill the Remaining ${left.toLocaleString('en-US')}`, onClick: () => void goOn(stale) },
  };
}

function Progress({ run }: { run: Run }) {
  const { billed, already, refused, left } = tally(run);
  const all = run.rows.length;
  const parts = [
    `${billed} billed`,
    ...(already > 0 ? [`${already} already billed`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(left > 0 ? [`${left} to go`] : []),
  ];
  return (
    <div className="bl-progress" data-done={left === 0 ? '' : undefined}>
      <div role="status">
        <span>
          {all - left} of {counted(all, CUSTOMER_WORDS)}
        </span>
        <span className="ek-muted ek-small">{parts.join(' · ')}</span>
      </div>
      <div
        role="progressbar"
        aria-label="Billed customers"
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={all - left}
      >
        <div style={{ width: ((all - left) / all).toLocaleString('en-US', { style: 'percent' }) }} />
      </div>
      {run.isRunning && (
        <p className="ek-muted ek-small">
          {run.isStopping
            ? 'Billing stops after the current customer. Invoices already created are kept.'
            : 'Billing continues if you close this window.'}
        </p>
      )}
    </div>
  );
}

function ResultTable({ run }: Pick<ProcessRunProps, 'run'>) {
  // At the end, the addresses replace the numbers of items, because the next step is to send the invoices.
  const hasEmails = tally(run).left === 0 && run.rows.some(({ job }) => job.email !== undefined);
  return (
    <PartTable className="dc-apply ek-heads bl-process" label="Results">
      <thead>
        <tr>
          <th scope="col">Customer</th>
          {hasEmails ? (
            <th scope="col">Email</th>
          ) : (
            <th scope="col" data-right="">
              {run.of.head}
            </th>
          )}
          <th scope="col" data-right="">
            Invoice Amount
          </th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {run.rows.map((row) => (
          <tr key={row.job.id} data-now={row.outcome.is === 'billing' ? '' : undefined} data-out={outOf(row)}>
            <td>{row.job.name}</td>
            {hasEmails ? (
              <td>
                <Email job={row.job} />
              </td>
            ) : (
              <td data-right="">{row.job.count}</td>
            )}
            <td data-right="">
              <BilledAmount row={row} />
            </td>
            <td>
              <Result outcome={row.outcome} dialog={run.of.dialog} />
            </td>
          </tr>
        ))}
      </tbody>
    </PartTable>
  );
}

/** The address that the invoice goes to, or the link that adds an address. Selecting the link closes the dialog. */
function Email({ job: { id, name, email } }: { job: Row['job'] }) {
  if (email !== '') return email;
  return (
    <NameLink to={`/customers?customer=${id}&edit=${id}`} label={`Add Email for ${name}`}>
      Add Email
    </NameLink>
  );
}

/** The amount of the invoice or, before billing, the expected amount. Empty if billing was rejected. */
function BilledAmount({ row: { job, outcome } }: { row: Row }) {
  if (outcome.is === 'billed') return <Amount value={outcome.amount} />;
  return outcome.is === 'already' || outcome.is === 'refused' ? NOTHING : <Amount value={job.amount} />;
}

const outOf = ({ outcome }: Row) => (outcome.is === 'waiting' ? '' : undefined);

function ResultCards({ run }: Pick<ProcessRunProps, 'run'>) {
  return (
    <ul className="bl-process-cards" aria-label="Results">
      {run.rows.map((row) => (
        <li key={row.job.id} className="bl-result-card" data-out={outOf(row)}>
          <span className="ek-list-title">{row.job.name}</span>
          <span className="ek-list-amount ek-num">
            <BilledAmount row={row} />
          </span>
          <div>
            <span className="ek-muted">{counted(row.job.count, run.of.words)}</span>
            <Result outcome={row.outcome} dialog={run.of.dialog} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/**
 * The result for one customer, with a link to the invoice or to the record that must be corrected. Selecting the link
 * closes the dialog.
 */
function Result({ outcome, dialog }: { outcome: Outcome; dialog: Run['of']['dialog'] }) {
  const place = usePlace();
  const linked = (change: Change, words: string) => (
    <NameLink to={place.to({ [dialog]: undefined, ...change })} isNumber>
      {words}
    </NameLink>
  );
  switch (outcome.is) {
    case 'waiting':
      return <span className="ek-muted">Waiting</span>;
    case 'billing':
      return (
        <Line>
          <Loader size={14} color="var(--brand)" /> Billing
        </Line>
      );
    case 'billed':
      return (
        <Line>
          <Status look="done">Billed</Status> {linked({ invoice: outcome.invoiceId }, outcome.invoiceNumber)}
        </Line>
      );
    case 'already':
      return (
        <Line>
          <Status look="plain">Already billed</Status>{' '}
          {linked({ invoice: outcome.billed.invoiceId }, outcome.billed.invoiceNumber)}
          <span className="ek-muted ek-small">
            {outcome.billed.billedBy !== '' && `by ${outcome.billed.billedBy} `}
            <MomentText value={outcome.billed.billedAt} />
          </span>
        </Line>
      );
    default:
      return (
        <Line>
          <Status look="late">
            {outcome.is === 'refused' ? 'Refused' : outcome.isLost ? 'No response' : 'Failed'}
          </Status>
          <span className="ek-bad">{outcome.message}</span>
          {outcome.is === 'refused' &&
            outcome.workItemId !== undefined &&
            linked({ workitem: outcome.workItemId }, 'Open work item')}
        </Line>
      );
  }
}

const Line = ({ children }: { children: ReactNode }) => <span className="bl-result">{children}</span>;
