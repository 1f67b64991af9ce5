import './figures.css';
import { Button } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, type To } from 'react-router';
import { SideDrawer } from '../../ui/overlay/SideDrawer.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { Entries, OpenDocuments } from './FigureRows.tsx';
import type { Explained, ExplainedPart } from './explained.ts';
import { Owing } from './Owing.tsx';
import { TransactionModal } from './TransactionModal.tsx';

export interface FigureDrawerProps {
  title: string;
  /** The dates and the accounting basis of the amount. */
  note?: ReactNode;
  /** The details. Undefined while they load. */
  what: Explained | undefined;
  error?: string | undefined;
  onRetry?: (() => void) | undefined;
  onClose: () => void;
  /** Opens the open items of one customer or vendor. */
  onEntity?: ((entityId: number) => void) | undefined;
  /** Opens one of the amounts in a ratio. */
  onPart?: ((name: string) => void) | undefined;
  /** The report or list that also shows the amount. */
  link?: { to: To; label: string } | undefined;
}

/** A drawer that explains an amount: its entries or open documents and their total. Each row links to its document. */
export function FigureDrawer({ title, note, what, error, onRetry, onClose, link, ...on }: FigureDrawerProps) {
  const [transactionId, setTransactionId] = useState<number>();
  return (
    <SideDrawer opened onClose={onClose} title={title} width={480}>
      <div className="ek-stack">
        {error !== undefined && <ErrorState message={error} onRetry={onRetry} />}
        {what === undefined && error === undefined && <p role="status">Loading...</p>}
        {what?.kind === 'entries' && <Entries {...what} note={note} onTransaction={setTransactionId} />}
        {what?.kind === 'open' && <OpenDocuments {...what} note={note} onTransaction={setTransactionId} />}
        {what?.kind === 'owing' && <Owing ask={what.ask} note={note} onEntity={on.onEntity} />}
        {what?.kind === 'parts' && (
          <>
            <Figure note={note}>{what.figure}</Figure>
            {what.words !== undefined && <p className="ek-second">{what.words}</p>}
            <Parts parts={what.parts} onPart={on.onPart} />
          </>
        )}
        {link !== undefined && (
          <Button component={Link} to={link.to} variant="default">
            {link.label}
          </Button>
        )}
      </div>
      {transactionId !== undefined && (
        <TransactionModal transactionId={transactionId} onClose={() => setTransactionId(undefined)} />
      )}
    </SideDrawer>
  );
}

function Parts({ parts, onPart }: { parts: readonly ExplainedPart[] } & Pick<FigureDrawerProps, 'onPart'>) {
  return (
    <ul className="lg-parts">
      {parts.map(({ name, label, amount }) => (
        <li key={name}>
          <button type="button" onClick={() => onPart?.(name)}>
            <span className="ek-grow">{label}</span>
            <Amount value={amount} sign />
            <IconChevronRight {...ICON_SMALL} />
          </button>
        </li>
      ))}
    </ul>
  );
}
