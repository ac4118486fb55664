import { sql } from '@outpost/platform/db/sql'
import type { HistoryOptions } from '../../kernel/keeps/history.ts'
import { userName } from '../../kernel/names.ts'

/** What an activity is linked with: its history names them itself. */
const linked = ['assignedUsers', 'leads', 'clients']
const linkActs = ['link', ...linked].map((act) => `activity.${act}`)

/** What the history of an activity says beside its fields: given to agents, links. */
export const activityHistory: HistoryOptions = {
  acts: { 'activity.create': 'Planned' },
  except: ['status', ...linked],
  entries: ({ company: { id: company } }) => [...links(company), planned(company)],
}

const links = (company: string) => {
  const from = sql`from audit_log g where g."companyId" = ${company} and g."objectType" = 'activity' and g."objectId" in (select id::text from ids) and g."action" = any(${linkActs}::text[])`
  return [
    sql`select g."at", g."userId", g."realUserId", 'Agents' as what, coalesce((select string_agg(${userName(sql`${company}`, sql`x::uuid`)}, ', ') from jsonb_array_elements_text(g."after" -> 'assignedUsers') x), 'nobody') as detail
      ${from} and g."after" ? 'assignedUsers'`,
    sql`select g."at", g."userId", g."realUserId", 'Linked' as what, (select string_agg(k, ', ') from jsonb_object_keys(g."after") k where k <> 'assignedUsers') as detail
      ${from} and (g."after" - 'assignedUsers') <> '{}'`,
  ]
}

/** Activities older than their audit were planned as well. */
const planned = (company: string) => sql`
  select v."dateCreated" as at, v."createdUserId" as "userId", null::uuid as "realUserId", 'Planned' as what, null as detail from activity v where v."companyId" = ${company} and v."id" in (select id from ids)
    and not exists (select 1 from audit_log g where g."companyId" = ${company} and g."objectType" = 'activity' and g."objectId" = v."id"::text and g."action" = 'activity.create')`
