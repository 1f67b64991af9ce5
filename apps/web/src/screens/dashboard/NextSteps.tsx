import type { Dashboard } from '@evenkeel/contract/dashboard';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useMay } from '../../client/session.ts';
import { Card } from '../../ui/show/Card.tsx';
import { ICON } from '../../ui/show/icons.ts';

type Begun = Partial<Pick<Dashboard, 'hasCustomers' | 'hasProducts'>>;

/** The first steps of a company that has never billed; only the steps that the session permits. */
export function NextSteps({ hasCustomers = false, hasProducts = false }: Begun) {
  const may = useMay();
  const steps = [
    {
      to: '/customers',
      label: 'Add a customer',
      hint: 'Whom you bill, with address and e-mail',
      isDone: hasCustomers,
      needs: may('Manage Customers'),
    },
    {
      to: '/products',
      label: 'Add a product or service',
      hint: 'What you sell, with its price',
      isDone: hasProducts,
      needs: may('Manage Products'),
    },
    {
      to: '/billing',
      label: 'Bill a customer',
      hint: 'Your first invoice, as a PDF to send',
      isDone: false,
      needs: may('Manage Billing'),
    },
  ].filter((step) => step.needs);
  if (steps.length === 0) return null;
  return (
    <div className="db-next">
      <Card title="Next Steps">
        <ol className="db-steps">
          {steps.map(({ to, label, hint, isDone }) => (
            <li key={to} data-done={isDone ? '' : undefined}>
              {isDone ? <IconCircleCheck {...ICON} /> : <IconCircle {...ICON} />}
              <div>
                <Link to={to}>{label}</Link>
                {isDone && <span className="ek-muted"> (done)</span>}
                <p className="ek-second ek-small">{hint}</p>
              </div>
            </li>
          ))}
        </ol>
      </Card>
    </div>
  );
}
