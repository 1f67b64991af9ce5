import type { StatementMapping } from '@evenkeel/contract/statements';
import { useState } from 'react';
import type { QuestionRow } from './importForm.ts';

const NONE: ReadonlyMap<string, QuestionRow> = new Map();

/** The user's answers about the file: its account, its columns, and its open questions. */
export function useSayings() {
  /** Undefined until the user selects an account. Null while the user selects another account. */
  const [account, setAccount] = useState<number | null>();
  const [mapping, setMapping] = useState<StatementMapping>();
  const [isConfirmed, setConfirmed] = useState(false);
  const [answers, setAnswers] = useState<ReadonlyMap<string, QuestionRow>>(NONE);
  const setAnother = (id: number | null) => {
    setAccount(id);
    setConfirmed(false);
  };
  const forget = () => {
    setMapping(undefined);
    setConfirmed(false);
    setAnswers(NONE);
  };
  const answer = (row: QuestionRow, next: StatementMapping) => {
    setAnswers(new Map([...answers, [row.name, row]]));
    setMapping(next);
  };
  return { account, setAccount: setAnother, mapping, setMapping, answers, answer, isConfirmed, setConfirmed, forget };
}

export type Sayings = ReturnType<typeof useSayings>;
