import './scheduled.css';
import type { TemplateAction, TemplateOccurrence } from '@evenkeel/contract/scheduled';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { documentKinds } from '@evenkeel/core/documents/side';
import { type Cents, formatAmount, sum } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf, send, useStale } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { RecordPanel } from '../../records/RecordPanel.tsx';
import { useOne } from '../../records/records.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { makeOnce, type Once } from '../../ui/hooks/once.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { DateText } from '../../ui/show/DateText.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { NameLink } from '../../ui/show/NameLink.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { MiniTable } from '../../ui/table/MiniTable.tsx';
import { useDeletion } from '../documents/panel/useDeletion.tsx';
import { documentAddress } from '../ledger/sources.ts';
import {
  type AnyTemplate,
  endWords,
  MAKES_WORDS,
  ruleWords,
  STATES,
  stateWords,
  type AnyTemplates,
} from './templates.ts';

interface TemplatePanelProps {
  kind: AnyTemplates;
  id: number;
  onClose: () => void;
  /** Opens the form. Undefined if the schedule can't be edited. */
  onEdit: ((id: number) => void) | undefined;
}

/** A schedule's panel next to the list: upcoming and created documents, and the available actions. */
export function TemplatePanel({ kind, id, onClose, onEdit }: TemplatePanelProps) {
  const read = useOne(kind, id);
  const manages = useMay()(kind.manage);
  const template = read.value?.template;
  const what = `${kind.words.one} ${template?.name ?? ''}`;
  const deletion = useDeletion(kind, { id, what, onDone: onClose });
  const { act, busy, failure } = useAct(kind, id);
  const isPaused = template?.state === 'paused';
  const disabled = busy || template === undefined;
  const pausing = {
    label: isPaused ? 'Resume' : 'Pause',
    disabled,
    onClick: () => act({ action: isPaused ? 'resume' : 'pause' }),
  };
  const running = {
    label: 'Run Now',
    disabled: disabled || template.nextN === null,
    onClick: () => act({ action: 'run', n: template?.nextN }),
  };
  // A paused schedule is resumed first.
  const footer = isPaused ? { primary: pausing } : { primary: running, actions: [pausing] };
  return (
    <RecordPanel
      read={read}
      kind="Scheduled"
      title={({ template: { name } }) => name}
      beside={stateOf}
      edit={manages && onEdit !== undefined ? { label: 'Edit', onClick: () => onEdit(id) } : undefined}
      onClose={onClose}
      footer={manages ? { ...footer, remove: deletion.action } : undefined}
    >
      {({ template: one }) => (
        <>
          {deletion.trouble}
          {failure !== undefined && <InlineAlert kind="Error">{failure}</InlineAlert>}
          <Figure note={one.nextDate === null ? 'no remaining dates' : `next ${formatDate(one.nextDate)}`}>
            <Amount value={one.amountNow ?? one.amount} sign />
          </Figure>
          <Waiting template={one} act={manages && !busy ? act : undefined} />
          <Facts
            facts={[
              { label: 'Every', value: ruleWords(one.schedule) },
              { label: 'Starts', value: <DateText value={one.schedule.start} /> },
              { label: 'Ends', value: endWords(one.schedule) },
              { label: 'Makes', value: one.makes === 'sent' ? 'Posted and sent' : MAKES_WORDS[one.makes] },
              ...(one.fixesPrices ? [{ label: 'Prices', value: 'fixed' }] : []),
            ]}
          />
          <Coming template={one} act={manages && !busy ? act : undefined} />
          <Made template={one} source={kind.source} />
        </>
      )}
    </RecordPanel>
  );
}

/** The first ID in the range for journal entries that are saved but not posted. */
const FIRST_DRAFT = 1_000_000_000_001;

const stateOf = ({ template }: { template: AnyTemplate }) => (
  <Status look={STATES[template.state].look}>{stateWords(template)}</Status>
);

type Act = (body: TemplateAction) => void;

function useAct(kind: TemplatePanelProps['kind'], id: number) {
  const stale = useStale();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  // A double-click on Run Now creates only one document. Otherwise, the second request would create the document for
  // the next date.
  const [pressed] = useState(() => new Map<string, Once>());
  const run = async (body: TemplateAction) => {
    setBusy(true);
    setFailure(undefined);
    try {
      return await send(kind.act(id, body));
    } catch (error) {
      setFailure(messageOf(error));
      return undefined;
    } finally {
      setBusy(false);
      stale();
    }
  };
  const act: Act = (body) => {
    const name = body.action === 'run' ? 'run' : JSON.stringify(body);
    const once = pressed.get(name) ?? makeOnce();
    pressed.set(name, once);
    void once.run(() => run(body));
  };
  return { act, busy, failure };
}

/** Dates that need a decision, each with its reason and actions. */
function Waiting({ template, act }: { template: AnyTemplate; act: Act | undefined }) {
  const today = useToday();
  const { state, due, failure, problem, sendProblem, occurrences, rowVersion } = template;
  const held = occurrences.filter((one) => one.state === 'held').toReversed();
  return (
    <>
      {problem !== '' && <InlineAlert kind="Warning">Can't be created: {problem}</InlineAlert>}
      {sendProblem !== '' && <InlineAlert kind="Warning">Created, but not sent: {sendProblem}</InlineAlert>}
      {failure !== '' && (
        <InlineAlert kind="Error">The last attempt failed. Evenkeel will try again: {failure}</InlineAlert>
      )}
      {(state === 'asks' || state === 'stopped') && (
        <Notice
          words={
            state === 'asks'
              ? `${due} dates were missed. Create a document for each one?`
              : `Evenkeel created five documents today and stopped. Still due: ${due}.`
          }
        >
          {act !== undefined && (
            <>
              <Button variant="default" onClick={() => act({ action: 'skipMissed', rowVersion })}>
                Skip All
              </Button>
              <Button variant="default" onClick={() => act({ action: 'makeMissed', rowVersion })}>
                Create All {due}
              </Button>
            </>
          )}
        </Notice>
      )}
      {held.map((one) => (
        <Notice
          key={one.n}
          words={`The document for ${formatDate(one.date)} is on hold. ${one.reason}. The date was not skipped.`}
        >
          {act !== undefined && (
            <>
              <Button variant="default" onClick={() => act({ action: 'skip', n: one.n })}>
                Skip
              </Button>
              <Button variant="default" onClick={() => act({ action: 'make', n: one.n })}>
                Try Again
              </Button>
              {one.date !== today && (
                <Button variant="default" onClick={() => act({ action: 'make', n: one.n, on: today })}>
                  Create Now for {formatDate(today)}
                </Button>
              )}
            </>
          )}
        </Notice>
      ))}
    </>
  );
}

function Notice({ words, children }: { words: string; children: React.ReactNode }) {
  return (
    <InlineAlert kind="Warning">
      <span>{words}</span>
      <span className="sc-answers">{children}</span>
    </InlineAlert>
  );
}

/** The next 12 dates with their amounts. Each date can be skipped, and a skip can be undone. */
function Coming({ template, act }: { template: AnyTemplate; act: Act | undefined }) {
  const { next, amountNow, amount } = template;
  if (next.length === 0) return null;
  const each = amountNow ?? amount;
  const count = next.filter(({ isSkipped }) => !isSkipped).length;
  return (
    <section className="sc-part">
      <h3>
        Next {next.length === 1 ? 'Date' : `${next.length} Dates`}{' '}
        <span className="ek-muted ek-small ek-num">
          {count} × {formatAmount(each)} = {formatAmount(sum(Array.from({ length: count }, () => each)))}
        </span>
      </h3>
      <MiniTable
        label="Upcoming Dates"
        isHeadless
        rows={next}
        keyOf={({ n }) => n}
        columns={[
          {
            header: 'Date',
            render: ({ date, isSkipped }) => (isSkipped ? <s>{formatDate(date)}</s> : <DateText value={date} />),
          },
          {
            header: 'Amount',
            right: true,
            render: ({ isSkipped }) => (isSkipped ? <span className="ek-muted">Skipped</span> : amountText(each)),
          },
          {
            header: 'Skip',
            isHeaderHidden: true,
            right: true,
            render: ({ n, date, isSkipped }) => act !== undefined && <Skip {...{ n, date, isSkipped, act }} />,
          },
        ]}
      />
    </section>
  );
}

const amountText = (amount: Cents) => <Amount value={amount} />;

function Skip({ n, date, isSkipped, act }: { n: number; date: IsoDate; isSkipped: boolean; act: Act }) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-label={`${isSkipped ? "Don't Skip" : 'Skip'} ${formatDate(date)}`}
      onClick={() => act({ action: isSkipped ? 'unskip' : 'skip', n })}
    >
      {isSkipped ? 'Undo' : 'Skip'}
    </Button>
  );
}

/** A saved entry that isn't posted yet has a higher ID than any posted entry. */
function Made({ template, source }: { template: AnyTemplate; source: string }) {
  const made = template.occurrences.filter(({ state }) => state === 'made');
  if (made.length === 0) return null;
  return (
    <section className="sc-part">
      <h3>Created Documents</h3>
      <MiniTable
        label="Created documents"
        isHeadless
        rows={made}
        keyOf={({ n }) => n}
        columns={[
          { header: 'Date', render: ({ date }) => <DateText value={date} /> },
          {
            header: 'Document',
            right: true,
            render: (one) => (
              <>
                <MadeLink one={one} source={source} />
                {one.reason !== '' && <div className="ek-bad">Not sent: {one.reason}</div>}
              </>
            ),
          },
        ]}
      />
    </section>
  );
}

function MadeLink({ one, source }: { one: TemplateOccurrence; source: string }) {
  const { sourceId, number } = one;
  if (sourceId === null) return <span className="ek-muted">Deleted</span>;
  if (source === documentKinds.journal.source) {
    // A saved entry that isn't posted yet has a higher ID than any posted entry.
    const isDraft = sourceId >= FIRST_DRAFT;
    return (
      <NameLink to={isDraft ? `/accounting?journal=d${sourceId}` : `/accounting?entry=${sourceId}`}>
        {isDraft ? 'Draft entry' : `Entry ${number}`}
      </NameLink>
    );
  }
  return (
    <NameLink to={documentAddress(source, sourceId)?.to ?? ''} isNumber>
      {number}
    </NameLink>
  );
}
