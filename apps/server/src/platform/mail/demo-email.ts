/** Who signs in to the demo company: its administrator. The company of this address is nobody's own. */
export const DEMO_EMAIL = 'demo@fernhollow.example';
