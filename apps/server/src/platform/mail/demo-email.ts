/** The email address of the demo company's administrator. No real company uses its domain. */
export const DEMO_EMAIL = 'demo@fernhollow.example';
