/**
 * The small second row of a line: date, account, and dimensions. The content is in the first cell and spans all
 * columns.
 */
export function LineMore({ parts }: { parts: readonly string[] }) {
  const words = parts.filter((part) => part !== '').join(' · ');
  return (
    <div className="ek-line-more" title={words}>
      {words}
    </div>
  );
}
