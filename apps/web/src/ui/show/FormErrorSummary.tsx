import { useEffect, useRef } from 'react';
import { AlertBox } from '../alerts/AlertBox.tsx';

export interface FormProblem {
  message: string;
  /** The ID of the field that the message links to. */
  fieldId?: string | undefined;
}

/** The error summary at the top of a form. It takes the focus when errors appear. */
export function FormErrorSummary({ problems }: { problems: readonly FormProblem[] }) {
  const box = useRef<HTMLDivElement>(null);
  const count = problems.length;
  useEffect(() => {
    if (count > 0) box.current?.focus();
  }, [count]);
  if (count === 0) return null;
  return (
    <div ref={box} role="alert" tabIndex={-1} className="ek-form-errors">
      <AlertBox kind="Error">
        {problems.length === 1 ? (
          <Problem problem={problems[0]} />
        ) : (
          <ul className="ek-summary-list">
            {problems.map((problem) => (
              <li key={problem.message}>
                <Problem problem={problem} />
              </li>
            ))}
          </ul>
        )}
      </AlertBox>
    </div>
  );
}

function Problem({ problem }: { problem: FormProblem | undefined }) {
  if (problem === undefined) return null;
  const { fieldId, message } = problem;
  if (fieldId === undefined) return message;
  return (
    <button type="button" className="ek-link" onClick={() => document.getElementById(fieldId)?.focus()}>
      {message}
    </button>
  );
}
