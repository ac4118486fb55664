/** The system roles; `key` is stable, `name` is what users see and what roles are matched by (any case, trimmed). */
export const systemRoles = [
  { key: 'global', name: 'Global Administrator' },
  { key: 'admin', name: 'Administrator' },
  { key: 'company-admin', name: 'Company Administrator' },
  { key: 'officer', name: 'Loan Officer' },
  { key: 'credit', name: 'Credit Officer' },
  { key: 'leader', name: 'Team Leader' },
  { key: 'branch', name: 'Branch Manager' },
  { key: 'regional', name: 'Regional Manager' },
  { key: 'zonal', name: 'Zonal Manager' },
  { key: 'sales', name: 'Sales Manager' },
  { key: 'product', name: 'Product Manager' },
  { key: 'md', name: 'Managing Director' },
] as const
export type SystemRoleKey = (typeof systemRoles)[number]['key']
