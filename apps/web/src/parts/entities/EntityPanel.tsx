import type { Entity } from '@evenkeel/contract/entities';
import { CUSTOMER } from '@evenkeel/core/entities';
import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useNavigate } from 'react-router';
import { useStatement } from '../documents/useStatement.tsx';
import { ExplainButton } from '../ledger/ExplainButton.tsx';
import { INACTIVE, isActive } from '../../records/active.tsx';
import { useAddressChoice } from '../../records/openRecord.ts';
import { RecordPanel } from '../../records/RecordPanel.tsx';
import { useOne } from '../../records/records.ts';
import { TabbedPane } from '../../ui/page/TabbedPane.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { Facts } from '../../ui/show/Facts.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { balanceFigure } from './balanceFigure.ts';
import { summaryFacts } from './entityFacts.tsx';
import { labelOf, type ListedKind } from './kind.ts';

export interface EntityPanelProps {
  kind: ListedKind;
  id: number;
  onClose: () => void;
  /** False hides the Back button (the record was opened here or from the search). */
  hasBack: boolean;
  /** Opens the whole record. */
  onOpen: () => void;
  /** Documents and payments; without it there is no such tab. */
  Invoices: ComponentType<{ entityId: number }> | undefined;
}

const markOf = (entity: Entity) => !isActive(entity) && INACTIVE;

/** A customer or vendor beside the list: what is owed, how to reach them, their invoices. */
export function EntityPanel({ kind, id, onClose, hasBack, onOpen, Invoices }: EntityPanelProps) {
  const read = useOne(kind.records, id);
  const label = labelOf(kind);
  const statement = useStatement(id, read.value?.displayname ?? '');
  const open = kind.kind === CUSTOMER ? statement.open : undefined;
  return (
    <RecordPanel
      read={read}
      kind={label}
      title={(entity) => entity.displayname}
      beside={markOf}
      above={hasBack && <Back />}
      onClose={onClose}
      footer={{
        actions: [
          ...(open === undefined ? [] : [{ label: 'Statement', onClick: open, disabled: read.value === undefined }]),
          { label: `Open ${label}`, onClick: onOpen, disabled: read.value === undefined },
        ],
      }}
    >
      {(entity) => (
        <>
          <PanelBody kind={kind} entity={entity} Invoices={Invoices} />
          {statement.panel}
        </>
      )}
    </RecordPanel>
  );
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

const TABS = [
  { value: 'details', label: 'Details' },
  { value: 'invoices', label: 'Invoices' },
] as const;

function PanelBody({ kind, entity, Invoices }: Pick<EntityPanelProps, 'kind' | 'Invoices'> & { entity: Entity }) {
  const [tab, setTab] = useAddressChoice('tab', ['details', 'invoices']);
  return (
    <>
      <Figure note={entity.currentbalance < 0 ? 'credit' : 'balance'}>
        <ExplainButton name={balanceFigure(entity.id)}>
          <Amount value={entity.currentbalance} sign />
        </ExplainButton>
      </Figure>
      {Invoices === undefined ? (
        <Facts facts={summaryFacts(entity)} />
      ) : (
        <TabbedPane place="panel" tabs={TABS} value={tab} onChange={setTab} label={labelOf(kind)}>
          {tab === 'details' ? <Facts facts={summaryFacts(entity)} /> : <Invoices entityId={entity.id} />}
        </TabbedPane>
      )}
    </>
  );
}
