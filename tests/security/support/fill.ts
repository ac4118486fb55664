import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { MadeTenant } from '../../support/make.ts'
import { metadataXml } from '../../support/identity-provider.ts'

interface Column {
  table: string
  column: string
  type: string
  length: number | null
}

/** Where a filled row is stored, and the mark its texts carry. */
export interface Place {
  mark: string
  company: MadeTenant
  tenant: MadeTenant
  userId: string
}
/** Id of the filled row of each table. */
export type Filled = Record<string, string>

/** A device's newest position is one of its positions. */
const heardAt = new Date()

/** One page with one question. */
const formPages = '[{"key":"shop","title":"The shop","questions":[{"key":"size","kind":"number","label":"Size"}]}]'

/** Columns whose values must be of a known set for the rest of the program to read the row. */
const known: Readonly<Record<string, unknown>> = {
  'lead.status': 'New',
  'asset.status': 'Active',
  'asset.mapIcon': 'car',
  'maintenance_plan.categoryId': null,
  'tracking_consent.status': 'Given',
  'company_phone.kind': 'Tracker',
  'company_phone.endedAt': null,
  'company_phone.endReason': null,
  'asset_group.roleId': null,
  'asset_share.status': 'Active',
  'asset_share.blurMetres': 0,
  'asset_share.expireDate': new Date(Date.now() + 86_400_000),
  'geo.crash_review.status': 'NEW',
  // Everybody here calls from this machine.
  'ip_rule.range': '127.0.0.0/8',
  'ip_rule.appliesTo': 'company',
  'ip_rule.roleId': null,
  'ip_rule.userId': null,
  'lead.consentStatus': 'GRANTED',
  'lead.affordabilityOutcome': 'NONE',
  'lead.source': 'UI',
  'user_handover.moved': '{"leads":[],"activities":[],"cases":[],"tasks":[],"teams":[]}',
  'lead_consent.purpose': 'CREDIT_CHECK',
  'lead.affordabilityDate': new Date(),
  'lead.phonenumber': '0712345678',
  'lead.contactChangedByUserId': '00000000-0000-4000-8000-000000000001',
  'rule_set.calculator': 'cs-affordability',
  'rule_set.country': 'KE',
  'rule_set.values': '{"method":"basic","floorShare":"1/3","deductionsShare":"2/3","buffer":0}',
  'tenant.assessmentDays': 90,
  'lead.type': 'Individual',
  'lead.emailAddress': null,
  'client.emailAddress': null,
  'activity_series.recurrence': 'FREQ=WEEKLY',
  'activity.occurrenceDate': null,
  'activity.activityTypeId': null,
  'activity_series.activityTypeId': null,
  'sync_feed.op': 'put',
  'sync_feed.entityType': 'lead',
  'sync_conflict.state': 'open',
  'sync_conflict.entityType': 'lead',
  'sync_conflict.field': 'city',
  'sync_dead_letter.state': 'open',
  'sync_receipt.entityType': 'lead',
  'sync_receipt.seq': 1_000_000,
  'sync_feed.seq': 1_000_000,
  'sync_conflict.mine': '"Thika"',
  'outbox.status': 'dead',
  'ledger_account.kind': 'asset',
  'ledger_entry.reversesId': null,
  'ledger_line.debit': 5,
  'ledger_line.credit': 0,
  'loan.number': 9_001,
  'loan_change.number': 9_001,
  'settlement_quote.number': 9_001,
  'security_sale.number': 9_001,
  'security_sale.status': 'Requested',
  'security_sale.paymentId': null,
  'security_sale.assetId': null,
  'security_sale.price': 500,
  'security_sale.costs': 20,
  'disbursement.number': 9_001,
  'payment.number': 9_001,
  'payment_promise.number': 9_001,
  'loan.status': 'Active',
  'loan.terms': loanTermsOf('KES'),
  'loan.closedOn': null,
  // Late, and with instalments ahead.
  'loan.unpaidSince': '2026-01-05',
  'loan.settlesLoanId': null,
  'loan.productVersionId': null,
  'loan_instalment.dueOn': '2099-12-31',
  'loan_change.kind': 'restructure',
  'loan_change.status': 'Requested',
  'loan_change.instalments': 6,
  'loan_change.annualRate': null,
  'loan_change.firstDueAt': null,
  'loan_change.graceOnPrincipal': null,
  'loan_change.skip': null,
  'loan_change.carriedOutOn': null,
  'settlement_quote.status': 'Open',
  'settlement_quote.paymentId': null,
  'settlement_quote.pastId': null,
  'disbursement.kind': 'payout',
  'dunning_step.action': 'Call',
  'dunning_step.productId': null,
  'loan_contact.action': 'Call',
  'loan_contact.outcome': 'Reached',
  'loan.writtenOffOn': null,
  'disbursement.status': 'Approved',
  'disbursement.channel': 'cash',
  'payment.status': 'Suspense',
  'payment.kind': 'repayment',
  'payment.method': 'cash',
  'payment.provider': 'manual',
  'payment.loanId': null,
  'payment_promise.status': 'Open',
  'payment_promise.channel': 'Call',
  'provider_connection.provider': 'money',
  'client.receiptsBy': null,
  'client_message.kind': 'receipt',
  'client_message.channel': 'sms',
  'client_message.status': 'Failed',
  'client_message.complaintId': null,
  'complaint_message.messageId': null,
  'loan_snapshot_day.takenAt': null,
  'webhook_delivery.status': 'sent',
  'webhook.url': 'https://hooks.example.org/outpost',
  'webhook.secret': '',
  'oauth_client.clientType': 'confidential',
  'oauth_client.redirectUris': ['https://partner.example.org/back'],
  'oauth_client.scopes': ['SALES/LEADS'],
  'saml_provider.signs': 'assertion',
  'saml_provider.metadata': metadataXml(),
  'saml_provider.defaultTenantId': null,
  'saml_provider.defaultRoleId': null,
  'saml_request.kind': 'login',
  'saml_provider.sloUrl': null,
  'saml_provider.sloResponseUrl': null,
  'saml_provider.sloBinding': 'redirect',
  'saml_request.message': null,
  'saml_provider.ownKey': null,
  'saml_provider.ownCertificate': null,
  'saml_provider.signsRequests': false,
  'import_run.kind': 'clients',
  'import_run.status': 'done',
  'import_run.headings': ['First name'],
  'import_run.options': { options: { duplicates: 'refuse' }, mapping: ['firstName'] },
  'import_portion.rows': '[]',
  'import_portion.verdicts': '[]',
  'report_run.status': 'done',
  'report_run.format': 'csv',
  'report_run.report': 'userLoginReport',
  'saved_view.scope': 'company',
  'session.policy': 'office',
  'session.oauthClientId': null,
  'role.systemRole': null,
  'role_permission.hierarchy': 'SALES',
  'user_permission.hierarchy': 'SALES/TEAMS',
  'tenant.timeZone': 'Africa/Nairobi',
  'lead_consent.status': 'REQUESTED',
  'one_time_token.purpose': 'verify',
  'agent_action.action': 1,
  'agent_action.source': 'live',
  'user_position.source': 'live',
  'login_event.kind': 'login',
  'assignment_rule.method': 'LOAD',
  'client.status': 'Active',
  'client.type': 'Individual',
  'client.phonenumber': '0712345678',
  'client.contactNumber': null,
  'client.dateOfBirth': null,
  'client.employedSince': null,
  'client.ussdSecuredAt': new Date('2026-01-05'),
  'client.ussdPinHash': 'a hash',
  'client_identifier.kind': 'Passport',
  'client_contact.kind': 'Phone',
  'client_contact.value': '0712345678',
  'client_address.kind': 'Home',
  'client_kin.relationship': 'Spouse',
  'client_kin.phonenumber': null,
  'client_kin.idNumber': null,
  'client_document.kind': 'Passport',
  'client_group.status': 'Active',
  // The company's counter gives the first numbers.
  'client_group.number': 1_000_000,
  'client_group.minMembers': 2,
  'client_group.maxMembers': 30,
  'client_group.meetingRule': null,
  'client_group_member.role': 'Member',
  'phone_book_entry.visibility': 'BRANCH',
  'phone_book_entry.phonenumber': '0712345678',
  'phone_book_entry.otherNumber': null,
  'phone_book_entry.emailAddress': null,
  'client.trimmedPhonenumber': '254712345678',
  'affordability_run.outcome': 'PASS',
  'lead_merge.moved': '{"activities":[],"addresses":[],"drafts":[],"clients":[]}',
  'client_merge.moved': '{}',
  'client_merge.before': '{}',
  'client_merge.after': '{}',
  'target.metric': 'leads.created',
  'target.ownerType': 'tenant',
  'target.ownerUserId': null,
  'target.ownerTeamId': null,
  'target.periodKind': 'month',
  'target.product': null,
  'break_glass.allowedUntil': null,
  'complaint.accusedUserId': null,
  'complaint.status': 'Open',
  'insurance_offer.state': 'Active',
  'insurance_offer.number': 7_000_001,
  'insurance_offer.coverType': 'Motor',
  'insurance_offer.premiumRule': 'flat',
  'insurance_offer.rate': 100,
  'insurance_offer.validFrom': new Date('2026-01-01'),
  'insurance_offer.validUntil': null,
  'insurance_choice.status': 'Declined',
  'insurance_choice.kind': 'Offer',
  'loan_application.insurance': null,
  'money_difference.status': 'Open',
  'money_difference.kind': 'Ledger',
  'money_difference.number': 7_000_001,
  'money_statement.status': 'Draft',
  'money_statement.source': 'bank',
  'money_statement.number': 7_000_001,
  'money_statement_line.verdict': 'Suspense',
  'statement_rule.column': 'details',
  'statement_rule.does': 'ignore',
  'collection_sheet.status': 'Draft',
  'collection_sheet.number': 7_000_001,
  'collection_line.attendance': 'Present',
  'collection_line.received': 5,
  'collection_line.expected': 5,
  'web_form.status': 'Published',
  'web_form.about': 'lead',
  'web_form.pages': formPages,
  'web_form.versionNumber': 1,
  'web_form_version.number': 1,
  'web_form_version.about': 'lead',
  'web_form_version.pages': formPages,
  'web_form_answer.answers': '{"size":4}',
  'stray_payout.status': 'Open',
  'ussd_menu.state': 'Draft',
  'ussd_menu.number': 7_000_001,
  'ussd_menu_item.under': null,
  'ussd_menu_item.does': 'pay',
  'ussd_session.state': 'COMPLETED',
  'ussd_session.place': null,
  'ussd_request.number': 7_000_001,
  'ussd_request.kind': 'Call back',
  'ussd_request.status': 'Open',
  'complaint.number': 7_000_001,
  'complaint.severity': 'Medium',
  'complaint_message.kind': 'reply',
  'complaint_message.way': 'phone',
  'complaint_pause.endedAt': null,
  'working_hours.weekday': 'Monday',
  'working_hours.startsAt': '08:00',
  'working_hours.endsAt': '17:00',
  'audit_check.breaks': '[]',
  'geo.device.status': 'online',
  'geo.geofence.type': 'geofence',
  'geo.geofence.shape': 'circle',
  'geo.geofence.area': '{"type":"Point","coordinates":[36.8,-1.28]}',
  'geo.geofence.colour': '#1677ff',
  'geo.geofence.calendar': null,
  // Whoever carries the phone is at work, whatever the hour: its places outside working time are nobody's to see.
  'agent_action.deviceTime': new Date(heardAt.getTime() - 60_000),
  'geo.position.fixTime': heardAt,
  'geo.latest.fixTime': heardAt,
  'geo.fence_state.state': 'inside',
  'geo.event_io.severity': 'info',
  'geo.event_io.type': 'alarm',
  'geo.event_io.schedule': null,
  'geo.event_io.calendar': null,
  'geo.event_io.conditions': '[]',
  'geo.event_action.type': 'email',
  'geo.event_action.parameters': '{"to":["canary@example.test"]}',
  'geo.saved_command.type': 'custom',
  'geo.saved_command.parameters': '{"data":"getver"}',
  'geo.command.state': 'queued',
  'geo.reaction.state': 'done',
  'geo.event.severity': 'warning',
  'geo.event.acknowledgedAt': null,
  'geo.device_memory.snapshots': '[]',
  'geo.presence.connection': 'online',
  'geo.driver_key.until': null,
  'geo.device_asset.until': null,
  'geo.device.tripRule': null,
  'geo.feed.url': 'https://traccar.canary.example',
  'geo.feed.historyDays': 7,
  'geo.feed.isActive': true,
  'company_logo.mimeType': 'image/png',
  'geo.company_setting.tripRule': 'arrival',
  'geo.company_setting.keepDays': 90,
  'geo.company_setting.keepTripDays': 365,
  'geo.company_setting.tripSettings': '{}',
  'team.teamTenantId': null,
  'pipeline.entity': 'case',
  'pipeline_stage.type': 'open',
  'sales_case.status': 'New',
  'product_version.state': 'Published',
  'product_version.creditType': 'unsecured',
  'product_version.method': 'declining',
  'product_version.dayCount': 'equalPeriods',
  'product_version.everyUnit': 'month',
  'product_version.allocation': 'penalty,fee,interest,principal',
  'product_version.brokenPeriod': 'ignore',
  'product_version.dueOnHoliday': 'keep',
  'product_version.graceOnPrincipal': 0,
  'product_version.graceOnInterest': 0,
  'product_version.instalmentRounding': 'none',
  'product_version.penaltyKind': 'none',
  'product_version.penaltyPer': 'month',
  'product_version.insuranceKind': 'none',
  'product_version.calculator': null,
  'product_version.minAmount': 100,
  'product_version.maxAmount': 1_000_000,
  'product_version.minInstalments': 1,
  'product_version.maxInstalments': 600,
  'product_version.effectiveFrom': '2026-01-01',
  'product_version.effectiveUntil': null,
  'product_fee.role': 'other',
  'product_fee.kind': 'flat',
  'product_fee.due': 'financed',
  'product_offer.isOffered': true,
  'loan_application.status': 'Draft',
  'loan_application.number': 1_000_000,
  'loan_application.amount': 1_000,
  'loan_application.instalments': 12,
  'loan_application.firstDueAt': null,
  'loan_application.quote': '{"rows":[]}',
  'application_collateral.kind': 'Vehicle',
  'sales_case.priority': 'Normal',
  'task.status': 'Open',
  'task.priority': 'Normal',
  'task.number': 1_000_000,
  'report_category.parentCategoryId': null,
  'report_category.reports': '{userLoginReport}',
  'record_counter.objectType': 'case',
  'record_number.objectType': 'case',
  'record_comment.objectType': 'lead',
  'record_file.objectType': 'lead',
  'activity_plan.status': 'PENDING',
  'activity_plan.dayStart': 480,
  'activity_plan.dayEnd': 1_020,
  'activity_plan.speed': 30,
  'activity_plan.longestDay': 9,
  'activity_plan_activity.lock': null,
  'activity_plan_activity.isLive': true,
  // A hash that is none would stop who changes a password; yesterday's request leaves room for one today.
  'password_history.userId': '00000000-0000-4000-8000-000000000001',
  'lead_consent.requestedAt': new Date(Date.now() - 2 * 86_400_000),
}
/** Tables that describe the company itself, which the factories have made. */
const made = new Set(['tenant', 'app_user', 'user_tenant', 'user_role', 'credential', 'sync_stream', 'audit_log'])

/**
 * One row in every table of the company, each text a canary that names mark, table and column. Written as the
 * superuser with triggers and foreign keys off, so that a new table is filled without a word here.
 */
export async function fillTables(admin: pg.Pool, place: Place, only?: (table: string) => boolean): Promise<Filled> {
  const columns = await readColumns(admin)
  const filled: Filled = {}
  const tables = [...Map.groupBy(columns, ({ table }) => table)].filter(([table]) => !made.has(table) && (only?.(table) ?? true))
  for (const [table] of tables) filled[table] = randomUUID()
  const client = await admin.connect()
  try {
    await client.query("set session_replication_role = 'replica'")
    for (const [table, own] of tables) await insertCanary(client, { table, own, place, filled })
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
  return filled
}

async function readColumns(admin: pg.Pool): Promise<Column[]> {
  const { rows } = await admin.query<Column>(`
    select case c.table_schema when 'public' then '' else c.table_schema || '.' end || c.table_name as table, c.column_name as column, c.udt_name as type, c.character_maximum_length as length from information_schema.columns c
    join information_schema.tables t on t.table_name = c.table_name and t.table_schema = c.table_schema and t.table_type = 'BASE TABLE'
    where c.table_schema in ('public', 'geo') and c.table_name <> '_prisma_migrations' and c.is_generated = 'NEVER' and c.is_identity = 'NO' order by 1, c.ordinal_position`)
  return rows
}

async function insertCanary(
  client: pg.PoolClient,
  { table, own, place, filled }: { table: string; own: Column[]; place: Place; filled: Filled },
): Promise<void> {
  const values = own.map((column, index) => valueOf(column, index, { place, filled }))
  const names = own.map(({ column }) => `"${column}"`).join(', ')
  // Each made person has given their consent already; a person has one answer.
  if (table === 'tracking_consent')
    await client.query('delete from tracking_consent where "userId" = $1', [values[own.findIndex(({ column }) => column === 'userId')]])
  await client.query(`insert into ${quoted(table)} (${names}) values (${own.map((_, index) => `$${index + 1}`).join(', ')})`, values)
}

/** A table as SQL names it; those of the geo service carry their schema. */
export const quoted = (table: string) =>
  table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')

/** Rows in reach of a tenant: its own, or those of a device that is filed under it. */
const inTenant = (table: string) =>
  hasOwnTenant(table) ? '"tenantId" = $2' : '"deviceId" in (select "id" from geo.device where "tenantId" = $2)'
/** In schema geo most rows belong to a device and are reached through it. */
export const hasOwnTenant = (table: string) =>
  !table.startsWith('geo.') ||
  ['geo.device', 'geo.feed', 'geo.geofence', 'geo.driver', 'geo.event_io', 'geo.event_action', 'geo.saved_command'].includes(table)

function valueOf({ table, column, type, length }: Column, index: number, { place, filled }: { place: Place; filled: Filled }): unknown {
  const fixed = known[`${table}.${column}`]
  if (fixed !== undefined) return fixed
  // A row of the company's own that is a state: what it means is one of few words.
  if (column === 'meaning' && table.endsWith('_status')) return 'open'
  const canary = `${place.mark}-${table}-${index}`
  switch (type) {
    case 'uuid':
      return identifierOf(table, column, { place, filled })
    case 'text':
    case 'varchar':
      return length === null ? canary : canary.slice(0, length)
    case 'bpchar':
      return length === 3 ? 'KES' : 'KE'
    case '_text':
      return [canary]
    case '_uuid':
      return place.tenant.path
    case 'bytea':
      return randomBytes(32)
    case 'json':
    case 'jsonb':
      return JSON.stringify({ canary })
    case 'bool':
      return false
    case 'date':
      return new Date().toISOString().slice(0, 10)
    case 'timestamptz':
      return emptyTimes.has(column) ? null : column.startsWith('expires') ? new Date(Date.now() + 86_400_000) : new Date()
    default:
      return 1
  }
}

/** Terms of a loan as they are stored. */
export function loanTermsOf(currency: string): string {
  return JSON.stringify({
    currency,
    method: 'flat',
    annualRate: '24',
    dayCount: 'equalPeriods',
    every: { unit: 'month', count: 1 },
    instalments: 12,
    brokenPeriod: 'ignore',
    graceOnPrincipal: 0,
    graceOnInterest: 0,
    fees: [],
    allocation: ['penalty', 'fee', 'interest', 'principal'],
    dueOnHoliday: 'keep',
  })
}

const emptyTimes = new Set([
  'deletedAt',
  'removedAt',
  'endedAt',
  'usedAt',
  'revokedAt',
  'readAt',
  'answeredAt',
  'lossSuspectedAt',
  'leaseUntil',
  'doneAt',
  'withdrawnAt',
  'undoneAt',
  'toDate',
  'resolvedAt',
])

/** Tables that a column's name refers to. */
const targets: Readonly<Record<string, string>> = {
  objectId: 'lead',
  leadId: 'lead',
  roleId: 'role',
  activityId: 'activity',
  sessionId: 'session',
  entityId: 'lead',
  clientId: 'client',
  groupId: 'client_group',
  documentId: 'client_document',
  fileId: 'stored_file',
  seriesId: 'activity_series',
  winnerId: 'lead',
  teamId: 'team',
  targetId: 'target',
  pipelineId: 'pipeline',
  stageId: 'pipeline_stage',
  loanId: 'loan',
  entryId: 'ledger_entry',
  accountId: 'ledger_account',
  paymentId: 'payment',
  caseId: 'sales_case',
  taskId: 'task',
  reportCategoryId: 'report_category',
  planId: 'activity_plan',
  productId: 'product',
  categoryId: 'product_category',
  versionId: 'product_version',
  formId: 'web_form',
  formVersionId: 'web_form_version',
  productVersionId: 'product_version',
  affordabilityRunId: 'affordability_run',
  applicationId: 'loan_application',
  viewId: 'saved_view',
}

const geoTargets: Readonly<Record<string, string>> = {
  deviceId: 'geo.device',
  geofenceId: 'geo.geofence',
  eventIoId: 'geo.event_io',
  driverId: 'geo.driver',
}

function identifierOf(table: string, column: string, { place, filled }: { place: Place; filled: Filled }): string | null {
  if (column === 'companyId' || column === 'homeCompanyId') return place.company.id
  if (column === 'tenantId' || column === 'ownerTenantId') return place.tenant.id
  if (table.startsWith('geo.') && column in geoTargets) return filled[geoTargets[column] ?? ''] ?? randomUUID()
  if (column === 'id' || column === 'changeId' || column === 'deviceId') return filled[table] ?? randomUUID()
  if (/userId$/i.test(column)) return place.userId
  if (column === 'parentId' || column === 'actorCompanyId' || column === 'addressId') return null
  if (column === 'activityTypeId') return filled['activity_type'] ?? null
  if (column === 'statusId') return filled[`${table}_status`] ?? filled['activity_status'] ?? null
  const target = targets[column]
  // Stages, products, forms and ledger accounts have no wall of reach: a branch that is filled alone has none of its own.
  return target ? (filled[target] ?? (/^(pipeline|product|ledger_account|web_form)/.test(target) ? randomUUID() : null)) : randomUUID()
}

/** A fingerprint of everything the company holds, table by table; with a tenant, of what is filed in it behind the wall of reach. */
export async function fingerprint(admin: pg.Pool, companyId: string, tenantId?: string): Promise<Record<string, string>> {
  const wall = tenantId === undefined ? 'company_wall' : 'scope_wall'
  const tables = await tablesOf(admin, wall)
  const parts = tables.map(
    (name) => `select '${name}' as name, coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum
    from ${quoted(name)} t where "companyId" = $1 ${tenantId === undefined ? '' : `and ${inTenant(name)}`}`,
  )
  // By name: planned once a connection, which takes longer than reading the few rows.
  const { rows } = await admin.query<{ name: string; sum: string }>({
    name: wall,
    text: parts.join(' union all '),
    values: [companyId, ...(tenantId === undefined ? [] : [tenantId])],
  })
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

/** Tables that the wall protects. */
export async function tablesOf(admin: pg.Pool, wall: 'company_wall' | 'scope_wall'): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    'select polrelid::regclass::text as name from pg_policy where polname = $1 order by 1',
    [wall],
  )
  return rows.map(({ name }) => name.replaceAll('"', ''))
}
