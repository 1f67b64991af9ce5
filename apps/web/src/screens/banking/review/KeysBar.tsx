import type { BankLine } from '@evenkeel/contract/statements';
import { type Cents, cents } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import { ActionIcon, Button } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { singly } from '../../../ui/hooks/once.ts';
import { KeyButton } from '../../../ui/keys/KeyButton.tsx';
import { KeysBar } from '../../../ui/keys/KeysBar.tsx';
import { ActionMenu } from '../../../ui/overlay/ActionMenu.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { ICON } from '../../../ui/show/icons.ts';
import type { AccountReview } from './AccountCards.tsx';
import type { KeyAct } from './work.ts';

type PlainAct = Exclude<KeyAct['act'], 'take' | 'search'>;

export interface KeysBarProps {
  /** The label of the action for the open bank transaction, or undefined if there is none. */
  word: string | undefined;
  /** Whether an action from this visit can be undone. */
  canUndo: boolean;
  isTyping: boolean;
  onAct: (act: PlainAct) => void;
  onClose: () => void;
}

const WAYS: readonly { act: PlainAct; key: string; label: string }[] = [
  { act: 'find', key: 'm', label: 'Find' },
  { act: 'add', key: 'a', label: 'Add' },
  { act: 'transfer', key: 't', label: 'Transfer' },
  { act: 'split', key: 's', label: 'Split' },
  { act: 'exclude', key: 'x', label: 'Exclude' },
];

/** The review's keyboard shortcuts. The account of the open bank transaction is on the right. */
export function ReviewKeysBar({ account, ...props }: KeysBarProps & { account: Tied | undefined }) {
  return (
    <KeysBar label="Actions for this bank transaction" aside={account !== undefined && <Tie {...account} />}>
      {props.isTyping ? <KeyButton keys={['Esc']} label="Close" onClick={props.onClose} /> : <Acts {...props} />}
    </KeysBar>
  );
}

function Acts({ word, canUndo, onAct }: KeysBarProps) {
  return (
    <>
      <KeyButton keys={['↑']} label="Previous transaction" short onClick={() => onAct('up')} />
      <KeyButton keys={['↓']} label="Line" onClick={() => onAct('down')} />
      {word !== undefined && (
        <>
          <KeyButton keys={['Enter']} label={word} onClick={singly(() => onAct('accept'))} />
          {WAYS.filter(({ label }) => label !== word).map(({ act, key, label }) => (
            <KeyButton key={act} keys={[key]} label={label} onClick={singly(() => onAct(act))} />
          ))}
        </>
      )}
      {canUndo && <KeyButton keys={['u']} label="Undo" onClick={singly(() => onAct('undo'))} />}
    </>
  );
}

export interface Tied {
  name: string;
  review: AccountReview;
}

/** The bank balance, the book balance, and their difference. */
function Tie({ name, review: { bankBalance, booksBalance } }: Tied) {
  const difference: Cents | undefined = bankBalance === null ? undefined : cents(bankBalance - booksBalance);
  return (
    <dl className="rv-tie">
      <dt className="ek-semi">{name}</dt>
      <dd />
      <TieFigure label="Bank" value={bankBalance} />
      <TieFigure label="Books" value={booksBalance} />
      {difference !== undefined && <TieFigure label="Difference" value={difference} isLast />}
    </dl>
  );
}

function TieFigure({ label, value, isLast }: { label: string; value: Cents | null; isLast?: boolean }) {
  return (
    <>
      <dt className="ek-muted" data-last={isLast === true ? '' : undefined}>
        {label}
      </dt>
      <dd data-last={isLast === true ? '' : undefined}>{value === null ? NOTHING : <Amount value={value} />}</dd>
    </>
  );
}

/** The actions for the open bank transaction at the bottom of a phone's screen. */
export function PhoneActs({ line, word, canUndo, onAct }: KeysBarProps & { line: BankLine }) {
  const more = [
    ...WAYS.filter(({ act }) => act !== 'find').map(({ act, label }) => ({ label, onClick: () => onAct(act) })),
    ...(canUndo ? [{ label: 'Undo', onClick: () => onAct('undo') }] : []),
  ];
  if (word === undefined) return null;
  return (
    <div className="rv-phone-acts" role="toolbar" aria-label={`Actions for ${line.text}`}>
      <Button className="ek-grow" onClick={singly(() => onAct('accept'))}>
        {word}
      </Button>
      <Button variant="default" onClick={() => onAct('find')}>
        Find Match
      </Button>
      <ActionMenu
        position="top-end"
        actions={more}
        button={
          <ActionIcon variant="default" size={48} aria-label={`More: ${more.map(({ label }) => label).join(', ')}`}>
            <IconDots {...ICON} />
          </ActionIcon>
        }
      />
    </div>
  );
}
