import type { Move, MoveAccount, MoveInput } from '@evenkeel/contract/moving';
import { formatDate, type IsoDate } from '@evenkeel/core/dates';
import { type Cents, formatAmount } from '@evenkeel/core/money';
import { useState } from 'react';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { counted } from '../../ui/show/words.ts';

const BANKS = { one: 'bank account', many: 'bank accounts' };

export interface BankMatchesProps {
  move: Move;
  banks: readonly MoveAccount[];
  onDecide: (choices: Pick<MoveInput, 'reconciled'>) => void;
}

/** The bank and card accounts, each with its last reconciliation in the old program. */
export function BankMatches({ move, banks, onDecide }: BankMatchesProps) {
  return (
    <div className="mv-scroll mv-pad" role="region" aria-label="Bank accounts" tabIndex={0}>
      <div className="mv-head">
        <h2>{counted(banks.length, BANKS)}</h2>
        <span className="ek-muted ek-small">Optional</span>
      </div>
      <p className="ek-second mv-intro">
        If you reconciled an account, enter the date and balance of its last reconciliation. All entries through this
        date are cleared, so their sum must equal the balance. Leave an account's fields empty to reconcile it in
        Banking later.
      </p>
      <ul className="mv-box mv-banks" aria-label="Bank accounts">
        {banks.map((bank) => (
          <Bank
            key={bank.key}
            bank={bank}
            to={move.to}
            onChange={(last) => onDecide({ reconciled: [{ key: bank.key, last }] })}
          />
        ))}
      </ul>
    </div>
  );
}

interface BankProps {
  bank: MoveAccount;
  to: IsoDate | null;
  onChange: (last: MoveAccount['reconciled']) => void;
}

/** The date and balance are saved together, when the user leaves a field and both are entered or both are empty. */
function Bank({ bank, to, onChange }: BankProps) {
  const { name, sourceType, balance, reconciled } = bank;
  const [date, setDate] = useState<IsoDate | null>(reconciled?.date ?? null);
  const [amount, setAmount] = useState<Cents | null>(reconciled?.balance ?? null);
  // The message appears only after the user has left the account's fields.
  const [isLeft, setLeft] = useState(false);
  const isLate = date !== null && to !== null && date > to;
  const save = () => {
    if (date !== null && amount !== null && !isLate) {
      if (date !== reconciled?.date || amount !== reconciled.balance) onChange({ date, balance: amount });
    } else if (date === null && amount === null && reconciled !== null) onChange(null);
  };
  const onLast = to === null ? 'Balance' : `Balance ${formatDate(to)}`;
  return (
    <li
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        setLeft(true);
        save();
      }}
      onFocus={() => setLeft(false)}
    >
      <span className="mv-bank">
        <span className="ek-medium mv-line">{name}</span>
        <span className="ek-muted ek-small">{`${sourceType} · ${onLast}: ${formatAmount(balance)}`}</span>
      </span>
      <DateField
        label="Reconciled Through"
        value={date}
        onChange={setDate}
        error={
          isLate
            ? `The files end on ${formatDate(to)}`
            : isLeft && date === null && amount !== null
              ? 'Please enter a date'
              : undefined
        }
      />
      <MoneyField
        label="Reconciled Balance"
        value={amount}
        onChange={setAmount}
        error={isLeft && date !== null && amount === null ? 'Please enter a balance' : undefined}
      />
    </li>
  );
}
