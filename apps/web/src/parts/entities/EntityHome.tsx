import './home.css';
import type { Entity } from '@evenkeel/contract/entities';
import type { EntityStanding } from '@evenkeel/contract/subledger';
import { CUSTOMER } from '@evenkeel/core/entities';
import { REFUND } from '@evenkeel/core/documents/side';
import { ActionIcon, Button } from '@mantine/core';
import { IconArrowLeft, IconDots, IconPlus } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useNavigate } from 'react-router';
import { type Read, useRead } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { INACTIVE, isActive } from '../../records/active.tsx';
import { History } from '../../records/History.tsx';
import { useAddressChoice } from '../../records/openRecord.ts';
import { RecordPanel } from '../../records/RecordPanel.tsx';
import { useOne } from '../../records/records.ts';
import { useHomeRoom, useNarrow } from '../../ui/hooks/media.ts';
import { ActionMenu } from '../../ui/overlay/ActionMenu.tsx';
import type { FooterAction } from '../../ui/overlay/FooterBar.tsx';
import { TabbedPane } from '../../ui/page/TabbedPane.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { ICON, ICON_SMALL } from '../../ui/show/icons.ts';
import type { DocumentSide } from '../documents/side.ts';
import { statementSubject } from '../sending/subjects.ts';
import { useSending } from '../sending/useSending.tsx';
import { useStatement } from '../documents/panel/useStatement.tsx';
import { Activity } from './Activity.tsx';
import { summaryFacts } from './entityFacts.tsx';
import { useTermsWords } from './EntityTabs.tsx';
import { labelOf, type ListedKind } from './kind.ts';
import { Standing } from './Standing.tsx';

/** The tab with the documents and payments of one customer or vendor. */
export type InvoicesTab = ComponentType<{ entityId: number }>;

export interface EntityHomeProps {
  kind: ListedKind;
  side: DocumentSide;
  /** The button labels for a new document and a payment. */
  words: { add: string; pay: string };
  id: number;
  onClose: () => void;
  /** False hides the Back button because the record was opened from this screen or from the search. */
  hasBack: boolean;
  /** Opens the full record. */
  onOpen: () => void;
  onAdd: () => void;
  onPay: () => void;
  /** Refunds the remaining credit. */
  onRefund: () => void;
  Invoices: InvoicesTab | undefined;
}

const markOf = (entity: Entity) => !isActive(entity) && INACTIVE;

/** The customer or vendor page next to the list: balances, activity, contact details, and next actions. */
export function EntityHome(props: EntityHomeProps) {
  const { kind, side, id, onClose, hasBack, Invoices } = props;
  const one = useOne(kind.records, id);
  const standing = useRead(side.standing(id));
  // Amounts decide which buttons the panel has and how its parts wrap, so the panel waits for both reads.
  const read = standing.isAnswered ? one : { ...one, value: undefined };
  const [isNarrow, hasRoom] = [useNarrow(), useHomeRoom()];
  const { quiet, actions, primary, panel } = useActions(props, read.value, standing.value);
  const footer = isNarrow && (actions.length > 0 || primary !== undefined) ? { footer: { primary, actions } } : {};
  return (
    <RecordPanel
      isHome
      read={read}
      kind={labelOf(kind)}
      title={(entity) => entity.displayname}
      note={noteOf}
      beside={markOf}
      tools={
        <div className="en-home-do">
          {hasRoom ? <Quiet actions={quiet} /> : <More actions={quiet} />}
          {!isNarrow && <Filled {...{ actions, primary }} />}
        </div>
      }
      above={hasBack && <Back />}
      onClose={onClose}
      {...footer}
    >
      {(entity) => (
        <>
          <HomeBody {...{ side, entity, standing, Invoices }} />
          {panel}
        </>
      )}
    </RecordPanel>
  );
}

function noteOf({ isIndividual, dba }: Entity): string {
  return [isIndividual ? 'Individual' : 'Business', dba].filter(Boolean).join(', ');
}

/** Returns the actions that the user has permission for. An inactive record is read-only. */
function useActions(
  { kind, side, words, id, onOpen, onAdd, onPay, onRefund }: EntityHomeProps,
  entity: Entity | undefined,
  standing: EntityStanding | undefined,
) {
  const statement = useStatement(id, entity?.displayname ?? '');
  const sending = useSending(id, kind.kind === CUSTOMER ? statementSubject(id) : undefined);
  const mayPay = useMay()(side.manage) && entity !== undefined && isActive(entity);
  const hasCredit = mayPay && (standing?.creditAmount ?? 0) > 0;
  const open = kind.kind === CUSTOMER ? statement.open : undefined;
  const quiet: FooterAction[] = [
    { label: `Open ${labelOf(kind)}`, onClick: onOpen, quiet: true },
    ...(open === undefined ? [] : [{ label: 'Statement', onClick: open }]),
    ...(open === undefined || sending.action === undefined ? [] : [sending.action]),
    ...(hasCredit ? [{ label: REFUND, onClick: onRefund }] : []),
  ];
  const actions: FooterAction[] = mayPay ? [{ label: words.pay, onClick: onPay }] : [];
  return {
    quiet,
    actions,
    primary: mayPay ? { label: words.add, onClick: onAdd } : undefined,
    panel: (
      <>
        {statement.panel}
        {open !== undefined && sending.dialog}
      </>
    ),
  };
}

function Quiet({ actions }: { actions: readonly FooterAction[] }) {
  return actions.map(({ label, onClick, quiet }) => (
    <Button key={label} variant={quiet === true ? 'subtle' : 'default'} onClick={onClick}>
      {label}
    </Button>
  ));
}

function Filled({ actions, primary }: Pick<ReturnType<typeof useActions>, 'actions' | 'primary'>) {
  return (
    <>
      <Quiet actions={actions} />
      {primary !== undefined && (
        <Button leftSection={<IconPlus {...ICON_SMALL} />} onClick={primary.onClick}>
          {primary.label}
        </Button>
      )}
    </>
  );
}

/** A menu of less common actions, for narrow screens. */
function More({ actions }: { actions: readonly FooterAction[] }) {
  const button = (
    <ActionIcon aria-label={`More: ${actions.map(({ label }) => label).join(', ')}`}>
      <IconDots {...ICON} />
    </ActionIcon>
  );
  return <ActionMenu actions={actions.map(({ label, onClick }) => ({ label, onClick }))} button={button} />;
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
const INVOICES = { value: 'invoices', label: 'Invoices' } as const;
const DETAILS = { value: 'details', label: 'Details' } as const;
const HISTORY = { value: 'history', label: 'History' } as const;

interface BodyProps {
  side: DocumentSide;
  entity: Entity;
  standing: Read<EntityStanding>;
  Invoices: InvoicesTab | undefined;
}

/** The balances above the tabs. The facts appear next to the tabs. On narrow screens, they have their own tab. */
function HomeBody({ side, entity, standing, Invoices }: BodyProps) {
  const { id } = entity;
  const hasRoom = useHomeRoom();
  const [asked, setTab] = useAddressChoice('tab', ['activity', 'invoices', 'details', 'history']);
  const tabs = [ACTIVITY, ...(Invoices === undefined ? [] : [INVOICES]), ...(hasRoom ? [] : [DETAILS]), HISTORY];
  const tab = tabs.find(({ value }) => value === asked)?.value ?? 'activity';
  const facts = <HomeFacts entity={entity} standing={standing.value} />;
  return (
    <>
      <Standing side={side} entityId={id} read={standing} />
      <div className="en-home-body">
        <TabbedPane place="panel" tabs={tabs} value={tab} onChange={setTab} label={entity.displayname}>
          {tab === 'activity' && <Activity side={side} entityId={id} />}
          {tab === 'invoices' && Invoices !== undefined && <Invoices entityId={id} />}
          {tab === 'details' && facts}
          {tab === 'history' && <History kind={side.core.words.entity} id={id} />}
        </TabbedPane>
        {hasRoom && <div className="en-home-facts">{facts}</div>}
      </div>
    </>
  );
}

/** The contact details, terms, and total billed in the current fiscal year. */
function HomeFacts({ entity, standing }: { entity: Entity; standing: EntityStanding | undefined }) {
  const terms = { label: 'Payment Terms', value: useTermsWords(entity) };
  const billed = { label: 'Billed this year', value: <Amount value={standing?.billedThisYear} zero="dash" /> };
  const { journalAmount } = standing ?? {};
  const journals = { label: 'Journal entries (not in the balance)', value: <Amount value={journalAmount} /> };
  const isTold = journalAmount !== undefined && journalAmount !== 0;
  return <Facts facts={[...summaryFacts(entity), terms, billed, ...(isTold ? [journals] : [])]} />;
}
