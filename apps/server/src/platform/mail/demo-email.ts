/** The email address of the demo company's administrator. Its domain does not belong to any real company. */
export const DEMO_EMAIL = 'demo@fernhollow.example';
