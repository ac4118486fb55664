import type { PanelDefinition } from '../../kernel/types.ts'

/** What somebody may do and where each right comes from, on the user's page. */
export const rightsPanel: PanelDefinition = {
  key: 'rights',
  title: 'Rights',
  route: 'permissions.ofUser',
  value: 'permissions',
  note: 'note',
  fields: {
    hierarchy: { kind: 'text', label: 'Right' },
    comesFrom: { kind: 'text', label: 'Comes from' },
  },
  empty: { title: 'No rights', body: 'A role, or a permission of the person’s own, gives some.' },
}
