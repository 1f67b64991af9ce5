import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { makeQueryClient } from '../client/api.ts';
import { Routes } from './routes.tsx';
import { dropOwnerless } from '../ui/hooks/localState.ts';
import { keepFocus } from '../ui/hooks/keepFocus.ts';
import { refuseStrayDrops } from '../ui/hooks/strayDrops.ts';
import { beThisTab } from '../ui/hooks/tab.ts';
import { ThemeProvider } from '../ui/theme/ThemeProvider.tsx';

dropOwnerless();
beThisTab();
refuseStrayDrops();
keepFocus();
const queries = makeQueryClient();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');

createRoot(root).render(
  <StrictMode>
    <ThemeProvider>
      <QueryClientProvider client={queries}>
        <BrowserRouter>
          <Routes />
        </BrowserRouter>
      </QueryClientProvider>
    </ThemeProvider>
  </StrictMode>,
);
