import './home.css';
import type { Entity } from '@evenkeel/contract/entities';
import type { EntityStanding } from '@evenkeel/contract/subledger';
import { CUSTOMER, VENDOR } from '@evenkeel/core/entities';
import { REFUND } from '@evenkeel/core/documents/side';
import { monthName } from '@evenkeel/core/dates';
import { Button } from '@mantine/core';
import { IconArrowLeft, IconPlus } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useNavigate } from 'react-router';
import { type Read, useRead } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { INACTIVE, isActive, useManages } from '../../records/active.tsx';
import { History } from '../../records/History.tsx';
import { useAddressChoice } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { RecordPanel } from '../../records/RecordPanel.tsx';
import { useOne } from '../../records/records.ts';
import { useHomeRoom } from '../../ui/hooks/media.ts';
import type { BarAction } from '../../ui/overlay/ActionBar.tsx';
import { TabbedPane } from '../../ui/page/TabbedPane.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { attachmentsFormOf } from '../attachments/attachmentForm.ts';
import { AttachedFiles } from '../attachments/AttachmentList.tsx';
import { type DocumentSide, titled } from '../documents/side.ts';
import { useAccountLabel } from '../choices/accounts.ts';
import { useEntityChoice } from '../choices/entities.ts';
import { useDeletion, useSaving } from '../documents/panel/useDeletion.tsx';
import { SendHistory } from '../sending/SendHistory.tsx';
import { usePrivateLink } from '../sending/privateLink.ts';
import { portalSubject, statementSubject } from '../sending/subjects.ts';
import { useSending } from '../sending/useSending.tsx';
import { useStatement } from '../documents/panel/useStatement.tsx';
import { Activity } from './Activity.tsx';
import { summaryFacts } from './entityFacts.tsx';
import { useTermsWords } from './EntityTabs.tsx';
import { labelOf, type ListedKind } from './kind.ts';
import { counted } from '../../ui/show/words.ts';
import { Standing } from './Standing.tsx';

/** A tab with documents or payments of one customer or vendor. */
export type EntityTabView = ComponentType<{ entityId: number }>;

/** The button labels for a new document and a payment, and the menu item for another document. */
export interface HomeWords {
  add: string;
  pay: string;
  /** The button opens `to` and passes the customer or vendor as navigation state. */
  other: { label: string; to: string };
}

export interface EntityHomeProps {
  kind: ListedKind;
  side: DocumentSide;
  words: HomeWords;
  id: number;
  onClose: () => void;
  /** False hides the Back button, for a record that was opened from this screen or from the search. */
  hasBack: boolean;
  /** Opens the full record, or the form for its attachments. */
  onOpen: (tab?: 'attachments') => void;
  onAdd: () => void;
  onPay: () => void;
  /** Refunds the remaining credit. */
  onRefund: () => void;
  Invoices: EntityTabView | undefined;
  Payments: EntityTabView | undefined;
}

const markOf = (entity: Entity) => !isActive(entity) && INACTIVE;

/** The customer or vendor page next to the list: balances, activity, contact details, and next actions. */
export function EntityHome(props: EntityHomeProps) {
  const { kind, side, id, onClose, hasBack, Invoices, Payments } = props;
  const one = useOne(kind.records, id);
  const standing = useRead(side.standing(id));
  // The amounts determine which actions the page has and how its content wraps, so the page waits for both reads.
  const read = standing.isAnswered ? one : { ...one, value: undefined };
  const { bar, statement, trouble, panel } = useActions(props, read.value, standing.value);
  return (
    <RecordPanel
      isHome
      read={read}
      kind={labelOf(kind)}
      title={(entity) => entity.displayname}
      note={(entity) => noteOf(entity, kind, standing.value)}
      beside={markOf}
      edit={{ label: `Open ${labelOf(kind)}`, onClick: () => props.onOpen() }}
      bar={bar}
      above={hasBack && <Back />}
      onClose={onClose}
    >
      {(entity) => (
        <>
          {trouble}
          <HomeBody {...{ side, entity, standing, statement, Invoices, Payments }} />
          {panel}
        </>
      )}
    </RecordPanel>
  );
}

/**
 * Returns the type, the DBA name, and the month of the first document, for example "Business, customer since March
 * 2024".
 */
function noteOf({ isIndividual, dba }: Entity, { name }: ListedKind, standing: EntityStanding | undefined): string {
  const since = standing?.since ?? null;
  const first = since === null ? '' : `${name} since ${monthName(since)}`;
  return [isIndividual ? 'Individual' : 'Business', dba, first].filter(Boolean).join(', ');
}

/** Returns the actions that the user has permission for. An inactive record is read-only. */
function useActions(
  { kind, side, words, id, onAdd, onPay, onRefund, onOpen, onClose }: EntityHomeProps,
  entity: Entity | undefined,
  standing: EntityStanding | undefined,
) {
  const statement = useStatement(id, entity?.displayname ?? '');
  const sending = useSending(id, kind.kind === CUSTOMER ? statementSubject(id) : undefined);
  const portal = useSending(id, kind.kind === CUSTOMER ? portalSubject(id) : undefined, 'portal');
  const { copy, isCopying } = usePrivateLink({ kind: 'portal', id });
  const isLive = entity !== undefined && isActive(entity);
  const mayPay = useMay()(side.manage) && isLive;
  const manages = useManages(kind.manager) && entity !== undefined;
  const activity = useActivity(kind, entity);
  const deletion = useDeletion(kind.records, { id, what: entity?.displayname ?? '', onDone: onClose });
  const navigate = useNavigate();
  const { label: other, to } = words.other;
  const count = entity?.documentLinks.length ?? 0;
  const files = { label: count === 0 ? 'Attachments' : `Attachments (${count})`, onClick: () => onOpen('attachments') };
  const { go } = usePlace();
  const tax = { label: '1099 Information', onClick: () => go({ tax: id }, { step: ['tax'] }) };
  const hasCredit = mayPay && (standing?.creditAmount ?? 0) > 0;
  const open = kind.kind === CUSTOMER ? statement.open : undefined;
  const rare: BarAction[] = [
    ...(mayPay ? [{ label: other, onClick: () => void navigate(to, { state: { entityId: id } }), quiet: true }] : []),
    ...(open === undefined || sending.action === undefined ? [] : [{ ...sending.action, quiet: true }]),
    ...(entity === undefined || portal.action === undefined
      ? []
      : [
          { ...portal.action, quiet: true },
          { label: 'Copy Portal Link', onClick: () => void copy(), busy: isCopying, quiet: true },
        ]),
    ...(hasCredit ? [{ label: REFUND, onClick: onRefund, quiet: true }] : []),
    ...(kind.kind === VENDOR && entity !== undefined ? [{ ...tax, quiet: true }] : []),
    ...(manages && isLive ? [{ ...files, quiet: true }] : []),
    ...(manages ? [activity.action] : []),
  ];
  const add = { label: words.add, onClick: onAdd, icon: <IconPlus {...ICON_SMALL} /> };
  return {
    bar: {
      primary: mayPay ? add : undefined,
      actions: [...rare, ...(mayPay ? [{ label: words.pay, onClick: onPay }] : [])],
      remove: manages && isLive ? deletion.action : undefined,
    },
    trouble: (
      <>
        {deletion.trouble}
        {activity.trouble}
      </>
    ),
    statement: open,
    panel: (
      <>
        {statement.panel}
        {open !== undefined && sending.dialog}
        {portal.dialog}
      </>
    ),
  };
}

/** Returns the action that makes an active record inactive, or an inactive record active. */
function useActivity({ records }: ListedKind, entity: Entity | undefined) {
  const isLive = entity === undefined || isActive(entity);
  const { run, busy, trouble } = useSaving<Entity>((one) => records.update(one.id, { deleted: isLive }), {
    what: entity?.displayname ?? '',
    done: isLive ? 'is inactive' : 'is active',
    one: entity,
  });
  const action: BarAction = { label: isLive ? 'Make Inactive' : 'Make Active', onClick: () => void run(), busy };
  return { action: isLive ? { ...action, isRare: true, divided: true } : action, trouble };
}

function Back() {
  const navigate = useNavigate();
  const arrow = <IconArrowLeft {...ICON_SMALL} />;
  return (
    <div>
      <Button variant="subtle" size="xs" leftSection={arrow} onClick={() => void navigate(-1)}>
        Back
      </Button>
    </div>
  );
}

const ACTIVITY = { value: 'activity', label: 'Activity' } as const;
const PAYMENTS = { value: 'payments', label: 'Payments' } as const;
const DETAILS = { value: 'details', label: 'Details' } as const;
const SENDING = { value: 'sending', label: 'Sending' } as const;
const HISTORY = { value: 'history', label: 'History' } as const;

interface BodyProps {
  side: DocumentSide;
  entity: Entity;
  standing: Read<EntityStanding>;
  /** Shows a customer's statement. */
  statement: (() => void) | undefined;
  Invoices: EntityTabView | undefined;
  Payments: EntityTabView | undefined;
}

/**
 * The balances above the tabs. The notes and facts appear next to the tabs. On narrow screens, the notes are above the
 * tabs, and the facts have their own tab.
 */
function HomeBody({ side, entity, standing, statement, Invoices, Payments }: BodyProps) {
  const { id } = entity;
  const hasRoom = useHomeRoom();
  const [asked, setTab] = useAddressChoice('tab', [
    'activity',
    'invoices',
    'payments',
    'details',
    'sending',
    'history',
  ]);
  const invoices = { value: 'invoices', label: titled(`${side.core.words.document}s`) } as const;
  const tabs = [
    ACTIVITY,
    ...(Invoices === undefined ? [] : [invoices]),
    ...(Payments === undefined ? [] : [PAYMENTS]),
    ...(hasRoom ? [] : [DETAILS]),
    ...(statement === undefined ? [] : [SENDING]),
    HISTORY,
  ];
  const tab = tabs.find(({ value }) => value === asked)?.value ?? 'activity';
  const facts = <HomeFacts {...{ side, entity }} standing={standing.value} />;
  return (
    <>
      <Standing side={side} entityId={id} read={standing} onStatement={statement} />
      {!hasRoom && entity.notes !== '' && <Notes text={entity.notes} />}
      <div className="en-home-body">
        <TabbedPane place="panel" tabs={tabs} value={tab} onChange={setTab} label={entity.displayname}>
          {tab === 'activity' && <Activity side={side} entityId={id} />}
          {tab === 'invoices' && Invoices !== undefined && <Invoices entityId={id} />}
          {tab === 'payments' && Payments !== undefined && <Payments entityId={id} />}
          {tab === 'details' && facts}
          {tab === 'sending' && (
            <div className="ek-stack">
              <div className="ek-semi">Statements</div>
              <SendHistory subject={statementSubject(id)} />
              <div className="ek-semi">Customer Portal</div>
              <SendHistory subject={portalSubject(id)} />
            </div>
          )}
          {tab === 'history' && <History kind={side.core.words.entity} id={id} />}
        </TabbedPane>
        {hasRoom && (
          <div className="en-home-facts">
            {entity.notes !== '' && <Notes text={entity.notes} />}
            {facts}
          </div>
        )}
      </div>
    </>
  );
}

/** The notes about the customer or vendor. */
function Notes({ text }: { text: string }) {
  return (
    <section className="en-notes" aria-label="Notes">
      <div className="ek-semi">Notes</div>
      <p>{text}</p>
    </section>
  );
}

interface HomeFactsProps {
  side: DocumentSide;
  entity: Entity;
  standing: EntityStanding | undefined;
}

/** Returns, for example, "9 days after the due date". */
function paysOf(late: number): string {
  if (late === 0) return 'On the due date';
  return `${counted(Math.abs(late), { one: 'day', many: 'days' })} ${late > 0 ? 'after' : 'before'} the due date`;
}

/**
 * The contact details, terms, total billed in the current fiscal year, the account that a new bill starts with, and the
 * attachments.
 */
function HomeFacts({ side, entity, standing }: HomeFactsProps) {
  const vendorId = side.core.name === 'payable' ? entity.id : null;
  const account = useAccountLabel(useEntityChoice(side.entities, vendorId)?.usualAccountId ?? null);
  const usual = account === '' ? [] : [{ label: 'Usual Account', value: account }];
  const terms = { label: 'Payment Terms', value: useTermsWords(entity) };
  const billed = { label: 'Billed this year', value: <Amount value={standing?.billedThisYear} zero="dash" /> };
  const { journalAmount, averageDaysLate: late = null } = standing ?? {};
  const pays = side.core.name === 'payable' || late === null ? [] : [{ label: 'Pays on average', value: paysOf(late) }];
  const journals = { label: 'Journal entries (not in the balance)', value: <Amount value={journalAmount} /> };
  const isTold = journalAmount !== undefined && journalAmount !== 0;
  return (
    <>
      <Facts facts={[...usual, ...summaryFacts(entity), terms, billed, ...pays, ...(isTold ? [journals] : [])]} />
      <AttachedFiles links={attachmentsFormOf(entity.documentLinks)} />
    </>
  );
}
