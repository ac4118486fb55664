import type { Setting } from '../../kernel/settings/define.ts'

export const openDays: Setting = {
  name: 'applications.openDays',
  section: 'credit',
  label: 'Applications stay open for',
  help: 'An application that is not paid out this long after it was sent in expires.',
  unit: 'days',
  min: 1,
  max: 365,
  standard: 30,
  level: 'branch',
}
