import type { Setting } from '../../../kernel/settings/define.ts'

/** In how many groups a client may be at the same time. */
export const groupsPerClient: Setting = {
  name: 'groupsPerClient',
  section: 'limits',
  label: 'Groups of one client',
  help: 'In how many groups a client may be a member at the same time.',
  unit: 'groups',
  min: 1,
  max: 10,
  standard: 1,
  level: 'company',
}
