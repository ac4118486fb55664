import { randomUUID } from 'node:crypto'
import type { Answer, Client } from '../../support/app.ts'
import { resourceNamed } from '../../../apps/server/src/kernel/resource/define.ts'
import type { Route } from '../../../apps/server/src/kernel/types.ts'
import { firstStates, workflowsOf } from '../../../apps/server/src/kernel/workflow/states.ts'
import { png, type FormFile } from '../../support/form.ts'
import { pngOf } from '../../support/picture.ts'
import { goodInputs } from './overrides.ts'
import { inputSchema, renamed, sample, valuesOf } from './sampler.ts'
import type { Target } from './target.ts'

/** Which table the id of a path belongs to, by the beginning of the path; the longest that fits counts. */
const tableByPath: Readonly<Record<string, string>> = {
  '/api/calculators/rule-sets': 'rule_set',
  '/api/leads/onboarding-drafts': 'onboarding_draft',
  '/api/leads/assignedto': 'user',
  '/api/leads': 'lead',
  '/api/activities': 'activity',
  '/api/activities/agents': 'user',
  '/api/activities/types': 'activity_type',
  '/api/activities/statuses': 'activity_status',
  '/api/leads/assignment-rules': 'assignment_rule',
  '/api/leads/affordability-runs': 'affordability_run',
  '/api/leads/merges': 'lead_merge',
  '/api/activities/activity-plan': 'activity_plan',
  '/api/clients': 'client',
  '/api/clients/merges': 'client_merge',
  '/api/complaints': 'complaint',
  '/api/ussd/numbers': 'ussd_number',
  '/api/ussd/sessions': 'ussd_session',
  '/api/ussd/requests': 'ussd_request',
  '/api/ussd/menus': 'ussd_menu',
  '/api/client-groups': 'client_group',
  '/api/insurance/offers': 'insurance_offer',
  '/api/reconciliation/differences': 'money_difference',
  '/api/statements/rules': 'statement_rule',
  '/api/stray-payouts': 'stray_payout',
  '/api/statements': 'money_statement',
  '/api/collection-sheets': 'collection_sheet',
  '/api/web-forms': 'web_form',
  '/api/web-forms/versions': 'web_form_version',
  '/api/web-forms/answers': 'web_form_answer',
  '/api/phone-book': 'phone_book_entry',
  '/api/users/bytenantid': 'tenant',
  '/api/users/by-team-id': 'team_tenant',
  '/api/users': 'user',
  '/api/api-users': 'api_user',
  '/api/api-keys': 'api_key',
  '/api/webhooks': 'webhook',
  '/api/oauth-clients': 'oauth_client',
  '/api/saml-providers': 'saml_provider',
  '/api/webhook-deliveries': 'webhook_delivery',
  '/api/roles/users': 'user',
  '/api/roles': 'role',
  '/api/permissions/byUserId': 'user',
  '/api/permissions': 'role',
  '/api/tenants/usertenants': 'user',
  '/api/tenants/location': 'user',
  '/api/tenants/tenantCompany': 'tenant',
  '/api/tenants/tenantCurrency': 'tenant',
  '/api/tenants': 'tenant',
  '/api/error_log': 'error_log',
  '/api/config/labels': 'language_label',
  '/api/views': 'saved_view',
  '/api/settings': 'tenant',
  '/api/reports/runs': 'report_run',
  '/api/clients/import/runs': 'import_run',
  '/api/sync/conflicts': 'sync_conflict',
  '/api/sync/dead-letters': 'sync_dead_letter',
  '/api/sync/devices': 'sync_device',
  '/api/jobs': 'outbox',
  '/api/agent/action/location': 'agent_action',
  '/api/agent': 'user',
  '/api/stats': 'user',
  '/api/usertracking': 'user',
  '/api/teams': 'team',
  '/api/holidays': 'holiday',
  '/api/tracking/maintenance-plans': 'maintenance_plan',
  '/api/tracking/maintenance-entries': 'maintenance_entry',
  '/api/working-calendars': 'working_calendar',
  '/api/targets': 'target',
  '/api/pipelines': 'pipeline',
  '/api/cases': 'sales_case',
  '/api/tasks': 'task',
  '/api/report-categories': 'report_category',
  '/api/report-categories/by-user': 'user',
  '/api/products/categories': 'product_category',
  '/api/products/versions': 'product_version',
  '/api/products': 'product',
  '/api/applications/limits': 'approval_limit',
  '/api/applications': 'loan_application',
  '/api/auth/sessions': 'session',
  '/api/auth/select-tenant': 'tenant',
  '/geo/geofences': 'geo.geofence',
  '/geo/devices': 'geo.device',
  '/geo/positions': 'geo.device',
  '/geo/commands': 'geo.saved_command',
  '/geo/events': 'geo.event',
  '/geo/eventIos': 'geo.event_io',
  '/geo/eventActions': 'geo.event_action',
  '/geo/drivers': 'geo.driver',
  '/geo/feeds': 'geo.feed',
}
/** The same of the geo service, where a device is a tracker. */
const geoByName: Readonly<Record<string, string>> = {
  deviceId: 'geo.device',
  deviceid: 'geo.device',
  geofenceId: 'geo.geofence',
  eventIoId: 'geo.event_io',
  userId: 'user',
}
/** Tables that a property's name refers to. */
const tableByName: Readonly<Record<string, string>> = {
  leadId: 'lead',
  leads: 'lead',
  pdfData: 'lead',
  roleId: 'role',
  roles: 'role',
  a: 'role',
  b: 'role',
  activityTypeId: 'activity_type',
  statusId: 'activity_status',
  activityId: 'activity',
  clientId: 'client',
  clients: 'client',
  newFiles: 'stored_file',
  removedFiles: 'stored_file',
  winnerId: 'lead',
  loserId: 'lead',
  branchId: 'tenant',
  candidateTenantId: 'tenant',
  candidateTeamId: 'team',
  candidateUserIds: 'user',
  tenantId: 'tenant',
  parentId: 'tenant',
  tenants: 'tenant',
  draftId: 'onboarding_draft',
  changeIds: 'sync_dead_letter',
  changeId: 'sync_dead_letter',
  deviceId: 'sync_device',
  activityPlans: 'activity_plan',
  planId: 'activity_plan',
  stageId: 'pipeline_stage',
  productId: 'product',
  categoryId: 'product_category',
  ownerUserId: 'user',
  accusedUserId: 'user',
  leaderUserId: 'user',
  ownerTeamId: 'team',
  ownerTenantId: 'tenant',
  teamTenantId: 'team_tenant',
  members: 'user',
  userId: 'user',
  userIds: 'user',
  agentId: 'user',
  performedByUserId: 'user',
  adminId: 'user',
  impersonateId: 'user',
  usrId: 'user',
  assignedUsers: 'user',
  createdByUserId: 'user',
  selectedTenantId: 'tenant',
}

/** The id of the target's record that a property of a route names. */
export function idFor(route: Route, name: string, { side, filled, userId, tenantId }: Target): string {
  const prefix = Object.keys(tableByPath)
    .filter((path) => route.path.startsWith(path))
    .sort((x, y) => y.length - x.length)[0]
  const named = route.path.startsWith('/geo/') ? geoByName : tableByName
  const table = named[name] ?? referredTable(route, name) ?? (prefix ? tableByPath[prefix] : tableOf(route)) ?? ''
  if (name === 'id' && route.operation.kind !== 'public' && keptFile.has(route.operation.kind)) return filled['record_file'] ?? randomUUID()
  if (table === 'user') return userId
  if (table === 'tenant') return tenantId
  if (table === 'team_tenant') return side.team.id
  return filled[table] ?? randomUUID()
}

/** Calls about one file of a record, whose own id is in recordId. */
const keptFile = new Set(['download', 'detach'])

/** The table that a field of the route's resource refers to. */
function referredTable({ operation }: Route, name: string): string | undefined {
  const to = 'resource' in operation ? operation.resource?.fields[name]?.to : undefined
  return to === undefined ? undefined : resourceNamed(to)?.table
}

/** The table of the route's own resource; of a remote one that of the geo service's calls. */
function tableOf({ operation }: Route): string | undefined {
  const resource = 'resource' in operation ? operation.resource : undefined
  return resource?.remote ? tableByPath[resource.remote.calls.replace('geo.', '/geo/')] : resource?.table
}

/** An input of the route that names the target's records wherever one can be named. */
export function inputFor(route: Route, target: Target): Record<string, unknown> {
  return madeOf(route, target, true)
}

/** An input that the route takes from the right person: what its schema requires, what the fields of its resource want, and what its rules want beyond that. */
export function goodInputFor(route: Route, target: Target): Record<string, unknown> {
  const { operation } = route
  const fields = 'resource' in operation ? (operation.resource?.fields ?? {}) : {}
  const own = operation.kind === 'create' ? valuesOf(fields) : operation.kind === 'update' ? renamed(fields) : {}
  const named = operation.kind === 'remove' && inputSchema(route).properties?.['id'] ? { id: idFor(route, 'id', target) } : {}
  return { ...madeOf(route, target, false), ...own, ...named, ...moveOf(route), ...goodInputs[route.name]?.(target) }
}

/** A move that one person may make of a new record, with what it asks; nothing for routes that take no move. */
function moveOf(route: Route): Record<string, unknown> {
  const { operation } = route
  const resource = 'resource' in operation ? operation.resource : undefined
  if (!resource || !inputSchema(route).properties?.['move']) return {}
  const first = Object.values(firstStates(resource))[0] ?? ''
  const moves = workflowsOf(resource).flatMap((workflow) => workflow.moves)
  const move = moves.find(({ from, to, fourEyes, madeBy }) => to !== '*' && !fourEyes && !madeBy && (from === '*' || from.includes(first)))
  return move ? { move: move.name, ...valuesOf(move.ask ?? {}) } : {}
}

function madeOf(route: Route, target: Target, namesAll: boolean): Record<string, unknown> {
  const sampled = sample(inputSchema(route), { idOf: (name) => idFor(route, name, target), namesAll }) as
    | Record<string, unknown>
    | undefined
  const params = Object.fromEntries(
    [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, sampled?.[name] ?? idFor(route, name, target)]),
  )
  return { ...sampled, ...params }
}

/** Sends the input the way the route takes it. */
export function send(client: Client, route: Route, input: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Answer> {
  const rest = { ...input }
  let path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest[name] ?? randomUUID())
    delete rest[name]
    return encodeURIComponent(value)
  })
  if (path.endsWith('/*')) path = `${path.slice(0, -1)}${String(rest['*'] ?? 'probe')}`
  delete rest['*']
  if (route.method === 'GET' || route.options.raw) {
    const query = new URLSearchParams(
      Object.entries(rest)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, String(value)]),
    )
    const address = `${path}${query.size > 0 ? `?${query.toString()}` : ''}`
    return route.options.raw ? client.putBytes(address, png, headers) : client.get(address, headers)
  }
  if (route.options.upload) return client.upload(path, rest, headers, fileFor(route))
  const verb = { POST: client.post, PUT: client.put, DELETE: client.del }[route.method]
  return verb(path, rest, headers)
}

const picture = pngOf(32, 32)

/** A sheet of one person where a route takes sheets; else a picture that is large enough for a logo. */
function fileFor({ options: { upload } }: Route): FormFile[] {
  if (typeof upload !== 'object' || !upload.types?.includes('csv')) return [{ name: 'photo.png', bytes: picture }]
  return [{ name: 'people.csv', bytes: `firstName,lastName,emailAddress\nAmina,Were,${randomUUID()}@probe.test\n` }]
}
