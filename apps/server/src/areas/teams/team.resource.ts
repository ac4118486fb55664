import { defineResource } from '../../kernel/resource/define.ts'
import { nameText } from '../../kernel/names.ts'
import { prepareTeam } from './team.rules.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

const current = `from team_member m join app_user u on u."companyId" = m."companyId" and u."id" = m."userId" and u."deletedAt" is null
  where m."companyId" = t."companyId" and m."teamId" = t."id" and m."toDate" is null`
const members = `select coalesce(json_agg(json_build_object('Id', u."id", 'label', ${nameText('u')}, 'fromDate', m."fromDate") order by u."firstName", u."lastName"), '[]') ${current}`

/** People who work together under a leader. Who belonged to it when is kept: attainment looks at the moment of each event. */
export const team = defineResource({
  model: 'team',
  one: 'team',
  many: 'teams',
  label: 'Team',
  labelMany: 'Teams',
  title: 'name',
  isScoped: true,
  isSoftDeleted: true,
  fields: {
    name: { kind: 'text', label: 'Name', required: true, maxLength: 80 },
    description: { kind: 'longText', label: 'Description', maxLength: 500 },
    leaderUserId: { kind: 'reference', label: 'Leader', to: 'user' },
    teamTenantId: {
      kind: 'reference',
      label: 'Team in the tenant tree',
      to: 'tenant',
      help: 'Its people become the first members when you name none',
    },
    members: {
      kind: 'multiReference',
      label: 'Members',
      to: 'user',
      max: 500,
      through: { pairs: 'teamMember', since: 'fromDate', until: 'toDate', by: 'addedByUserId' },
      sql: members,
      help: 'Who is taken out stays in the history; what was done until then goes on counting for the team',
    },
    memberCount: { kind: 'number', label: 'People', readOnly: true, sql: `select count(*)::int ${current}` },
    memberNames: {
      kind: 'text',
      label: 'Who',
      readOnly: true,
      sql: `select string_agg(${nameText('u')}, ', ' order by u."firstName", u."lastName") ${current}`,
    },
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Created', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['name', 'leaderUserId', 'memberCount', 'memberNames', 'tenantId', 'dateCreated'],
    search: ['name', 'description'],
    sort: ['name', 'ASC'],
    size: 10_000,
    filters: ['name', 'leaderUserId', 'tenantId', 'dateCreated'],
    empty: {
      title: 'No teams in your reach yet',
      body: 'Make the first one and put your people in it; targets of a team then add up what they do.',
    },
  },
  form: [['name', 'leaderUserId'], ['teamTenantId'], ['members'], ['description']],
  actions: [
    {
      route: 'teams.move',
      label: 'Move a member here',
      scope: 'row',
      idField: 'id',
      form: { userId: { kind: 'reference', label: 'Person', to: 'user', required: true, help: 'Leaves the other teams at this moment' } },
    },
    bulkDeleteAction('teams.remove', { title: 'Delete the chosen teams?', body: 'Their members and history are kept.' }, 'teams.restore'),
  ],
  prepare: prepareTeam,
})
