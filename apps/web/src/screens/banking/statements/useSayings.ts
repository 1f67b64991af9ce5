import type { StatementMapping } from '@evenkeel/contract/statements';
import { useState } from 'react';

/** The user's answers about the file: its account, its columns, and its open questions. */
export function useSayings(bankAccountId: number | undefined) {
  const [account, setAccount] = useState<number | null>(bankAccountId ?? null);
  const [mapping, setMapping] = useState<StatementMapping>();
  const [isConfirmed, setConfirmed] = useState(false);
  const setAnother = (id: number | null) => {
    setAccount(id);
    setConfirmed(false);
  };
  const forget = () => {
    setMapping(undefined);
    setConfirmed(false);
  };
  return { account, setAccount: setAnother, mapping, setMapping, isConfirmed, setConfirmed, forget };
}

export type Sayings = ReturnType<typeof useSayings>;
