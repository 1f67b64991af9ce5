import { Link } from 'react-router';
import { useMay } from '../session.ts';
import { Amount } from '../ui/show/Amount.tsx';
import { Card } from '../ui/show/Card.tsx';
import { Figure } from '../ui/show/Figure.tsx';
import type { Cash } from './figures.ts';

/** Bank and cash accounts with their balances as of today, and what they come to. */
export function CashCard({ cash }: { cash: Cash }) {
  const seesChart = useMay()('View Accounting');
  return (
    <Card title="Cash" actions={seesChart ? <Link to="/accounting">Accounting</Link> : undefined}>
      <Figure note="in the bank and at hand today">
        <Amount value={cash.total} sign />
      </Figure>
      <dl className="db-lines">
        {cash.lines.map((line) => (
          <div key={line.id}>
            <dt className="ek-ellipsis" title={line.label}>
              {line.label}
            </dt>
            <dd>
              <Amount value={line.amount} zero="dash" />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
