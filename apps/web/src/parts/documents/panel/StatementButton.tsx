import { useStatement } from './useStatement.tsx';

/** Opens a customer's statement of account, for who may see what is billed. */
export function StatementButton({ id, name }: { id: number; name: string }) {
  const { open, panel } = useStatement(id, name);
  if (open === undefined) return null;
  return (
    <>
      <button type="button" className="ek-link" aria-label={`Statement of ${name}`} onClick={open}>
        Statement
      </button>
      {panel}
    </>
  );
}
