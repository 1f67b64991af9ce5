import { type Column, isRight } from './columns.ts';

const ROWS = [1, 2, 3, 4];

/** Four grey rows while a list loads; screen readers hear `Loading...`. */
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
