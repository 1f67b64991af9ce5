/** The small second row of a line: date, account, places. It stands in the first cell and reaches over all. */
export function LineMore({ parts }: { parts: readonly string[] }) {
  const words = parts.filter((part) => part !== '').join(' · ');
  return (
    <div className="ek-line-more" title={words}>
      {words}
    </div>
  );
}
