// @vitest-environment jsdom
import '../../testing/setup.ts';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useNavigate } from 'react-router';
import { expect, it } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Alerts } from './Alerts.tsx';
import { InlineAlert } from './InlineAlert.tsx';
import { PastAlerts } from './PastAlerts.tsx';
import { createAlertStore } from './store.ts';

function Leave() {
  const navigate = useNavigate();
  return (
    <button type="button" onClick={() => void navigate('/customers')}>
      Leave
    </button>
  );
}

it('errors are announced assertively and other alerts politely, and each alert includes its kind', () => {
  const store = createAlertStore();
  show(<Alerts store={store} />);
  act(() => {
    store.error('Failure Saving Invoice');
    store.success('Recon saved');
  });
  const place = screen.getByRole('region', { name: 'Alerts' });
  expect(within(place).getByRole('alert').textContent).toBe('Error: Failure Saving Invoice');
  expect(within(place).getByRole('status').textContent).toBe('Success: Recon saved');
});

it("navigation removes an alert that isn't kept", async () => {
  const store = createAlertStore();
  show(
    <>
      <Alerts store={store} />
      <Leave />
    </>,
  );
  act(() => {
    store.info('Recon saved');
    store.info('Signed out', { keepAfterRouteChange: true });
  });
  await userEvent.click(screen.getByRole('button', { name: 'Leave' }));
  expect(screen.queryByText('Recon saved')).toBeNull();
  expect(screen.getByText('Signed out')).toBeTruthy();
});

it("an alert's action runs once, closes the alert, and is available again among the past alerts", async () => {
  const store = createAlertStore();
  let undone = 0;
  show(
    <>
      <Alerts store={store} />
      <PastAlerts store={store} />
    </>,
  );
  act(() => store.info('Payment posted', { action: { label: 'Undo', run: () => (undone += 1) } }));
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undone).toBe(1);
  expect(store.state().shown[0]?.leaving).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Past alerts' }));
  expect(within(await screen.findByRole('list', { name: 'Past alerts' })).getByText('Payment posted')).toBeTruthy();
});

it('an inline error is announced and offers its action', async () => {
  let retried = 0;
  show(
    <InlineAlert kind="Error" action={{ label: 'Retry', run: () => (retried += 1) }}>
      Failure Saving Invoice
    </InlineAlert>,
  );
  expect(screen.getByRole('alert').textContent).toContain('Failure Saving Invoice');
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(retried).toBe(1);
});
