import { authCalls } from '@evenkeel/contract/auth';
import { accountRoutes } from './account.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { describeInstallation } from './first-start.ts';
import { openRoute, type Route } from '../../platform/http/route.ts';
import { memberRoutes } from './members.ts';
import { newCompanyRoutes } from './new-company.ts';
import { ownFactorRoutes } from './own-factor.ts';
import { ownPasskeyRoutes } from './own-passkeys.ts';
import { ownPasswordRoutes } from './own-password.ts';
import { registerRoutes } from './register.ts';
import { roleRoutes } from './roles.ts';
import { signInRoutes } from './signin.ts';
import { userRoutes } from './users.ts';

export const authRoutes: Route[] = [
  ...signInRoutes,
  ...registerRoutes,
  ...ownPasswordRoutes,
  ...ownFactorRoutes,
  ...ownPasskeyRoutes,
  ...accountRoutes,
  ...memberRoutes,
  ...newCompanyRoutes,
  ...userRoutes,
  ...roleRoutes,
  ...apiKeyRoutes,
  openRoute(authCalls.installation, describeInstallation),
  openRoute(authCalls.termsOfService, async ({ services }) => services.legal.terms),
  openRoute(authCalls.privacyPolicy, async ({ services }) => services.legal.privacy),
];
