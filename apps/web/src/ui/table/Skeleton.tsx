import { type Column, isRight } from './columns.ts';

const ROWS = [1, 2, 3, 4];

/** Four gray rows while a list loads. Screen readers announce `Loading...`. */
export function Skeleton<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tbody>
      {ROWS.map((row) => (
        <tr key={row}>
          {columns.map((column, index) => (
            <td key={column.id} data-kind={column.kind ?? 'text'} data-right={isRight(column.kind) ? '' : undefined}>
              {row === 1 && index === 0 && (
                <span className="ek-vh" role="status">
                  Loading...
                </span>
              )}
              {column.kind !== 'action' && <span className="ek-sk" aria-hidden="true" />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** The loading state of two-line rows. */
export function ListSkeleton({ label }: { label: string }) {
  const bar = <span className="ek-sk" aria-hidden="true" />;
  return (
    <>
      <span className="ek-vh" role="status">
        Loading...
      </span>
      <ul className="ek-list" aria-label={label} aria-busy="true">
        {ROWS.map((row) => (
          <li key={row} className="ek-list-row">
            <div className="ek-list-main">
              <span className="ek-list-title">{bar}</span>
              <span className="ek-list-amount" data-right="">
                {bar}
              </span>
              <span className="ek-list-detail">{bar}</span>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
