import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'

/** What the compiler refuses in a resource; tsc fails when one of these lines compiles. Never run. */
export function refusals(): void {
  const list = { columns: ['name'], sort: ['name', 'ASC'], size: 10 } as const
  const words = { one: 'x', many: 'xs', label: 'X', labelMany: 'Xs', title: 'name' } as const
  const name = { kind: 'text', label: 'Name' } as const

  defineResource({ ...words, model: 'activityType', fields: { name }, list })
  defineResource({ ...words, model: 'activityType', fields: { name, shout: { kind: 'text', label: 'Loud', sql: 'upper(t."name")' } }, list })
  defineResource({ ...words, model: 'activityType', fields: { name }, list: { ...list, sort: ['dateCreated', 'DESC'] } })
  defineResource({ ...words, model: 'team', one: 'team', fields: { name, members: { kind: 'multiReference', label: 'Members', to: 'user', through: 'teamMember' } }, list })

  // @ts-expect-error pairs of a model that is none
  defineResource({ ...words, model: 'team', fields: { name, members: { kind: 'multiReference', label: 'Members', to: 'user', through: 'teamMembers' } }, list })
  // @ts-expect-error a field that is neither a column nor an expression
  defineResource({ ...words, model: 'activityType', fields: { name, nickname: { kind: 'text', label: 'Nickname' } }, list })
  // @ts-expect-error an unknown kind of field
  defineResource({ ...words, model: 'activityType', fields: { name: { kind: 'txt', label: 'Name' } }, list })
  // @ts-expect-error a property that fields do not have
  defineResource({ ...words, model: 'activityType', fields: { name: { kind: 'text', label: 'Name', requierd: true } }, list })
  // @ts-expect-error an unknown model
  defineResource({ ...words, model: 'activitytype', fields: { name }, list })
  // @ts-expect-error a column of the list that is not a field
  defineResource({ ...words, model: 'activityType', fields: { name }, list: { ...list, columns: ['name', 'colour'] } })
  // @ts-expect-error a sort that is not a field
  defineResource({ ...words, model: 'activityType', fields: { name }, list: { ...list, sort: ['colour', 'ASC'] } })
  // @ts-expect-error a filter that is not a field
  defineResource({ ...words, model: 'activityType', fields: { name }, list: { ...list, filters: ['colour'] } })
  // @ts-expect-error a title that is not a field
  defineResource({ ...words, title: 'colour', model: 'activityType', fields: { name }, list })
  // @ts-expect-error a place in the form that is not a field
  defineResource({ ...words, model: 'activityType', fields: { name }, list, form: [['name', 'colour']] })
  // @ts-expect-error prepare may add columns of the table only
  defineResource({ ...words, model: 'activityType', fields: { name }, list, prepare: () => ({ nickname: 'x' }) })
}
