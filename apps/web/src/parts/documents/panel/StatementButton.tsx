import { useStatement } from './useStatement.tsx';

/** Opens a customer's statement, for users with billing permission. */
export function StatementButton({ id, name }: { id: number; name: string }) {
  const { open, panel } = useStatement(id, name);
  if (open === undefined) return null;
  return (
    <>
      <button type="button" className="ek-link" aria-label={`Statement for ${name}`} onClick={open}>
        Statement
      </button>
      {panel}
    </>
  );
}
