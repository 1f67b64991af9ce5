import { catalogueCalls } from '@evenkeel/contract/catalogue';
import { entityCalls } from '@evenkeel/contract/entities';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useRead } from '../api.ts';
import { totalOf } from '../records/reads.ts';
import { useMay } from '../session.ts';
import { Card } from '../ui/show/Card.tsx';
import { ICON } from '../ui/show/icons.ts';

/** What a company that has never billed does first; only the steps that the session permits. */
export function NextSteps() {
  const may = useMay();
  const { hasCustomer, hasProduct } = useBeginnings();
  const steps = [
    {
      to: '/customers',
      label: 'Add a customer',
      hint: 'Whom you bill, with address and e-mail',
      isDone: hasCustomer,
      needs: may('Manage Customers'),
    },
    {
      to: '/products',
      label: 'Add a product or service',
      hint: 'What you sell, with its price',
      isDone: hasProduct,
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

/** Whether there is a customer and a product yet, for the next steps of an empty company. */
function useBeginnings() {
  const customers = useRead(entityCalls.listCustomers, { query: { limit: 1 } });
  const products = useRead(catalogueCalls.listProducts, { query: { limit: 1 } });
  return {
    hasCustomer: (totalOf(customers.data) ?? 0) > 0,
    hasProduct: (totalOf(products.data) ?? 0) > 0,
  };
}
