import { authCalls } from '@evenkeel/contract/auth';
import { Link } from 'react-router';
import { LegalPage } from './LegalPage.tsx';

/** The privacy policy, with a link to the terms. */
export function Privacy() {
  return (
    <LegalPage
      title="Privacy Policy"
      document={authCalls.privacyPolicy}
      other={{ to: '/TOS', label: 'Terms of service' }}
    >
      <Link to="/">Back to Evenkeel</Link>
    </LegalPage>
  );
}
