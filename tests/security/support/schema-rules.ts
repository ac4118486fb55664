import type pg from 'pg'

/** Why these are no holes: the wall is restrictive, and its functions give ids, names of roles, or yes and no. */
const aboveTheWall = 'whether a position is required is chosen by the group too, which lies behind the company’s wall: a yes or a no alone'
const atWork = 'phones are followed at work and with consent alone: one function for server, reports and the geo service'
const running = 'what runs with a client or a lead holds it in the company, whatever branch it lies in: counts only'
const found = 'a payment or payout is found by what its paper says: ids only'
const ofItsLoan = 'found by the words of its loan, as a loan is: ids only'
const assetWall = 'the asset wall decides by groups and roles, whoever asks'

/** One broken rule of the database's shape. */
export interface Violation {
  rule: string
  what: string
}
interface Rule {
  name: string
  /** Rows {what} that break it. */ sql: string
  /** What may break it, and why. */ allowed?: Readonly<Record<string, string>>
}

const owned = `select c.oid, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> '_prisma_migrations'`
/** Tables that some role reads rows of whatever the company: before sign-in, in the relay, at a tracker's port. The functions of fx_search take the company from the context. */
export const seenWithoutCompany = `select distinct p.polrelid from pg_policy p where p.polpermissive and p.polcmd in ('*', 'r') and pg_get_expr(p.polqual, p.polrelid) = 'true'
  and p.polroles <> array['fx_search'::regrole::oid]`
const loginRoles = `'fx_migrate', 'fx_datafix', 'fx_app', 'fx_auth', 'fx_relay', 'fx_report', 'fx_public', 'fx_geo', 'fx_ingest'`

/**
 * What the shape of the database must be for companies to stay apart (security decisions D1-D3): each rule selects
 * what breaks it.
 */
export const schemaRules: readonly Rule[] = [
  {
    name: 'every table belongs to a company',
    sql: `select t.relname as what from (${owned}) t
      where not exists (select 1 from pg_attribute a where a.attrelid = t.oid and a.attname = 'companyId' and a.attnotnull)`,
  },
  {
    name: 'primary and unique keys lead with companyId, unless the table is seen without one',
    sql: `select i.indexrelid::regclass::text as what from (${owned}) t join pg_index i on i.indrelid = t.oid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0] where i.indisunique and a.attname <> 'companyId'
      and t.oid not in (${seenWithoutCompany})`,
  },
  {
    name: 'a table that is looked up without a company has a global unique key',
    sql: `select s.oid::regclass::text as what from (${seenWithoutCompany}) s(oid) where not exists (
      select 1 from pg_index i where i.indrelid = s.oid and i.indisunique and i.indpred is null and not exists (
        select 1 from unnest(i.indkey::int2[]) k join pg_attribute a on a.attrelid = s.oid and a.attnum = k where a.attname = 'companyId' or not a.attnotnull))`,
    allowed: {
      password_history: 'read by user and company only',
      login_event: 'read by user and company only',
      user_tenant: 'hangs on a user, whose id is unique',
      user_role: 'hangs on a user, whose id is unique',
      user_permission: 'hangs on a user, whose id is unique',
      role_permission: 'hangs on a role, whose id is unique',
      'geo.latest': 'hangs on a device, found by it and its company',
      'geo.dirty': 'hangs on a device, found by it and its company',
      'geo.device_health': 'hangs on a device, found by it and its company',
      'geo.quarantine': 'hangs on a device, found by it and its company',
      'geo.fence_state': 'hangs on a device, found by it and its company',
      'geo.event': 'hangs on a device, found by it and its company',
      'geo.command': 'hangs on a device, found by it and its company',
      'geo.presence': 'hangs on a device, found by it and its company',
      'geo.reaction': 'hangs on an event, found by it and its company',
      'geo.event_io': 'read company by company',
      'geo.company_setting': 'one row a company',
      break_glass: 'found by the hash of 256 random bits, and its user',
    },
  },
  {
    name: 'other indexes lead with companyId',
    sql: `select i.indexrelid::regclass::text as what from (${owned}) t join pg_index i on i.indrelid = t.oid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0] where not i.indisunique and a.attname <> 'companyId'`,
    allowed: {
      tenant_path_idx: 'reach is one containment test over ids that are unique anyway',
      lead_search: 'GIN, narrowed by the company as well; the text comes first because it is far rarer',
      client_search: 'as lead_search',
      activity_search: 'as lead_search',
      client_group_search: 'as lead_search',
      complaint_search: 'as lead_search',
      loan_search: 'as lead_search',
      loan_application_search: 'as lead_search',
      task_search: 'as lead_search',
      '"tenant_groupId_idx"': 'companies of a group, before a company is chosen',
      '"lead_consent_tokenHash_idx"': 'the hash of 256 random bits',
      '"app_user_emailAddress_idx"': 'who signs in has not chosen a company yet',
      '"app_user_userName_idx"': 'who signs in has not chosen a company yet',
      '"outbox_status_runAt_idx"': 'the relay serves all companies',
    },
  },
  {
    name: 'row-level security is enabled and forced',
    sql: `select t.relname as what from (${owned}) t join pg_class c on c.oid = t.oid where not (c.relrowsecurity and c.relforcerowsecurity)`,
  },
  {
    name: 'the wall between companies is on every table',
    sql: `select t.relname as what from (${owned}) t where not exists (
      select 1 from pg_policy p where p.polrelid = t.oid and p.polname = 'company_wall' and p.polpermissive and p.polcmd = '*'
      and pg_get_expr(p.polqual, p.polrelid) = '("companyId" = ( SELECT ctx.company() AS company))'
      and pg_get_expr(p.polwithcheck, p.polrelid) = '("companyId" = ( SELECT ctx.company() AS company))')`,
  },
  {
    name: 'the wall of reach is where rows are filed under a tenant',
    sql: `select t.relname as what from (${owned}) t
      join pg_attribute a on a.attrelid = t.oid and a.attname = 'tenantId' and not a.attisdropped where not exists (
        select 1 from pg_policy p where p.polrelid = t.oid and p.polname = 'scope_wall' and not p.polpermissive and p.polcmd = '*'
        and pg_get_expr(p.polqual, p.polrelid) like '%ctx.has_whole_company()%ctx.scope_list()%' and p.polwithcheck is not null)`,
    allowed: {
      company_phone: 'the phone of a person, wherever they work; who sees whose is said by the reach of people',
      tracking_consent: 'a person answers wherever they work; who sees whose answer is said by the reach of people',
      app_user: 'colleagues are named across branches; lists are cut to reach by the resource',
      user_tenant: 'says who works where; read together with app_user',
      activity_plan_agent: 'the wall of its plan asks it who the agents are',
      activity_plan_activity: 'an activity planned anywhere in the company is planned; names nothing but ids and times',
      saved_view: 'a view of a tenant is offered by its scope column',
      report_run: 'a run belongs to its user, wherever that user works now',
      activity_type: 'own and parent tenants see it',
      activity_status: 'own and parent tenants see it',
      pipeline: 'own and parent tenants see it',
      working_calendar: 'holds for its tenant and all below it, who work by it',
      holiday: 'holds for its tenant and all below it, who work by it',
      product_offer: 'a branch inherits what those above it decided',
      phone_book_entry: 'the whole company reads what is shared; a wall of its own keeps private entries to their keeper',
      report_category_tenant: 'says for whom a heading of the reports is, read together with it',
      sync_device: 'a device belongs to its user; the office list is cut to reach',
    },
  },
  {
    name: 'no other policy lets fx_app or fx_report in',
    sql: `select p.polrelid::regclass || ' ' || p.polname as what from pg_policy p
      where p.polname not in ('company_wall', 'scope_wall') and p.polpermissive and exists (select 1 from unnest(p.polroles) r where r = 0 or r::regrole::text in ('fx_app', 'fx_report', 'fx_public', 'fx_owner'))`,
  },
  {
    name: 'foreign keys carry the company',
    sql: `select f.conname as what from pg_constraint f join pg_namespace n on n.oid = f.connamespace
      where f.contype = 'f' and n.nspname = 'public' and not exists (
        select 1 from unnest(f.conkey, f.confkey) k(own, far)
        join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.own and a.attname = 'companyId'
        join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.far and b.attname = 'companyId')`,
  },
  {
    name: 'views run as their caller',
    sql: `select c.oid::regclass::text as what from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'report', 'ctx', 'search') and c.relkind = 'v' and not coalesce(c.reloptions @> array['security_invoker=true'], false)`,
  },
  {
    name: 'no materialized views',
    sql: `select c.oid::regclass::text as what from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'report') and c.relkind = 'm'`,
  },
  {
    name: 'functions that run as their owner pin the search path',
    sql: `select p.oid::regprocedure::text as what from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'ctx', 'search', 'report') and p.prosecdef and not exists (select 1 from unnest(p.proconfig) o where o like 'search_path=%')
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  },
  {
    name: 'functions that run as their owner are the search ones, owned by fx_search',
    sql: `select p.oid::regprocedure::text as what from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname in ('public', 'ctx', 'search', 'report') and p.prosecdef and not (n.nspname = 'search' and p.proowner = 'fx_search'::regrole)
      and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    allowed: {
      'ctx.moved_payments()': 'a payment of the caller’s reach shows what it left in another branch: ids only',
      'ctx.moved_entries()': 'a payment of the caller’s reach shows what it left in another branch: ids only',
      'ctx.location_is_required(uuid,uuid[])': aboveTheWall,
      'ctx.hidden_assets()': assetWall,
      'ctx.hidden_devices()': assetWall,
      'ctx.once_hidden_devices()': assetWall,
      'ctx.was_hidden(uuid,timestamp with time zone)': assetWall,
      'ctx.roles_of_device(uuid,uuid)': assetWall,
      'ctx.who_sees_device(uuid,uuid,uuid[])': assetWall,
      'ctx.working_spans(uuid,uuid,timestamp with time zone,timestamp with time zone)': atWork,
      'ctx.trackable(uuid,uuid,timestamp with time zone[])': atWork,
      'ctx.own_trackable(uuid,timestamp with time zone[])': atWork,
      'ctx.own_working_spans(uuid,timestamp with time zone,timestamp with time zone)': atWork,
      'ctx.trackable_by(uuid,uuid,uuid,timestamp with time zone[])': atWork,
      'ctx.own_trackable_by(uuid,uuid,timestamp with time zone[])': atWork,
      'ctx.own_phone(uuid)': atWork,
      'ctx.phones()': atWork,
      'ctx.is_built_in(uuid,uuid)': atWork,
      'ctx.phone_at_work(uuid,timestamp with time zone,timestamp with time zone)': atWork,
    },
  },
  {
    name: 'search functions are for fx_app alone',
    sql: `select p.oid::regprocedure::text || ' ' || r.rolname as what from pg_proc p join pg_namespace n on n.oid = p.pronamespace, pg_roles r
      where n.nspname = 'search' and r.rolname in ('fx_auth', 'fx_relay', 'fx_report', 'fx_public') and has_function_privilege(r.oid, p.oid, 'execute')`,
  },
  {
    name: 'nobody may truncate, reference or add triggers',
    sql: `select r.rolname || ' ' || t.relname as what from (${owned}) t, pg_roles r
      where r.rolname in ('fx_app', 'fx_auth', 'fx_relay', 'fx_report', 'fx_public') and has_table_privilege(r.oid, t.oid, 'truncate, references, trigger')`,
  },
  {
    name: 'the app role reads no secrets',
    sql: `select t.relname || '.' || a.attname as what from (${owned}) t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      where (t.relname in ('credential', 'session', 'refresh_token', 'one_time_token') or a.attname ~ 'passwordHash')
      and (has_column_privilege('fx_app', t.oid, a.attnum, 'select') or has_column_privilege('fx_report', t.oid, a.attnum, 'select'))`,
  },
  {
    name: 'the relay sees the outbox only',
    sql: `select t.relname as what from (${owned}) t where t.relname <> 'outbox' and has_any_column_privilege('fx_relay', t.oid, 'select, insert, update')`,
  },
  {
    name: 'fx_search reads ids and what is searched, never more',
    sql: `select t.relname || '.' || a.attname as what from (${owned}) t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      where has_column_privilege('fx_search', t.oid, a.attnum, 'select')
      and a.attname not in ('companyId', 'id', 'searchText', 'tenantId', 'deletedAt', 'trimmedPhonenumber', 'emailAddress', 'idNumber')`,
    allowed: {
      'client_group.status': 'a closed group counts no longer among those of a client',
      'client_group_member.groupId': 'in which groups a client is, beyond reach: ids only',
      'client_group_member.clientId': 'in which groups a client is, beyond reach: ids only',
      'client.leadId': running,
      'loan.status': running,
      'loan_application.status': running,
      'disbursement.clientId': running,
      'disbursement.status': running,
      'loan.clientId': 'a loan is found by the words of its client: ids only',
      'loan_application.clientId': 'an application is found by the words of its client: ids only',
      'loan_application.leadId': 'an application is found by the words of its lead: ids only',
      'payment.provider': 'a payment is found by its reference at its provider: ids only',
      'payment.providerReference': 'a payment is found by its reference at its provider: ids only',
      'payment.status': 'a reference that was reversed is free: ids only',
      'payment.clientId': 'a payment is found by the words of its client: ids only',
      'payment.number': found,
      'payment.billReference': found,
      'payment.payerName': found,
      'payment.payerPhone': found,
      'disbursement.number': found,
      'disbursement.providerReference': found,
      'disbursement.payTo': found,
      'payment_promise.number': found,
      'payment_promise.loanId': ofItsLoan,
      'settlement_quote.number': found,
      'settlement_quote.loanId': ofItsLoan,
      'loan_change.number': found,
      'loan_change.loanId': ofItsLoan,
      'security_sale.number': found,
      'security_sale.loanId': ofItsLoan,
      'security_sale.description': found,
      'security_sale.buyer': found,
      'security_sale.reference': found,
      'ledger_entry.paymentId': 'what a payment left in another branch, for whoever reaches it: ids only',
      'ledger_entry.kind': 'what a payment left in another branch, for whoever reaches it: ids only',
      'role.name': assetWall,
      'role.systemRole': assetWall,
      'user_role.userId': assetWall,
      'user_role.roleId': assetWall,
      'asset_group.roleId': assetWall,
      'asset_group_member.assetId': assetWall,
      'asset_group_member.assetGroupId': assetWall,
      'tracking_consent.userId': atWork,
      'tracking_consent.status': atWork,
      'tracking_consent.givenAt': atWork,
      'company_phone.deviceId': atWork,
      'company_phone.userId': atWork,
      'company_phone.since': atWork,
      'company_phone.endedAt': atWork,
      'tenant.groupId': aboveTheWall,
      'setting.name': aboveTheWall,
      'setting.value': aboveTheWall,
      'tenant.path': atWork,
      'tenant.timeZone': atWork,
      'tenant.country': atWork,
      'working_hours.calendarId': atWork,
      'working_hours.weekday': atWork,
      'working_hours.startsAt': atWork,
      'working_hours.endsAt': atWork,
      'holiday.country': atWork,
      'holiday.date': atWork,
      'holiday.isWorked': atWork,
      'agent_action.performedByUserId': atWork,
      'agent_action.action': atWork,
      'agent_action.deviceTime': atWork,
      'agent_action.dateCreated': atWork,
    },
  },
  {
    name: 'the audit chain is only added to',
    sql: `select r.rolname as what from pg_roles r where r.rolname in ('fx_app', 'fx_auth', 'fx_relay', 'fx_report', 'fx_public')
      and (has_any_column_privilege(r.oid, 'audit_log', 'update') or has_table_privilege(r.oid, 'audit_log', 'delete'))`,
  },
  {
    name: 'no login role is superuser, owner or past row-level security',
    sql: `select rolname as what from pg_roles where rolname in (${loginRoles}) and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication)
      union all select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relowner::regrole::text in (${loginRoles}) and c.relkind = 'r'`,
    allowed: { fx_datafix: 'data migrations at deployment; a server refuses to start with it' },
  },
  {
    name: 'nobody but servers may set a context',
    sql: `select r.rolname as what from pg_roles r where r.rolname in ('fx_report') and has_function_privilege(r.oid, 'pg_catalog.set_config(text, text, boolean)', 'execute')
      union all select 'PUBLIC' from pg_proc p where p.oid = 'pg_catalog.set_config(text, text, boolean)'::regprocedure and exists (select 1 from aclexplode(p.proacl) a where a.grantee = 0)`,
  },
]

/** Everything in the database that breaks a rule and is not allowed to. */
export async function schemaViolations(admin: pg.Pool): Promise<Violation[]> {
  const found: Violation[] = []
  for (const { name, sql, allowed = {} } of schemaRules) {
    const { rows } = await admin.query<{ what: string }>(sql)
    found.push(...rows.filter(({ what }) => !(what in allowed)).map(({ what }) => ({ rule: name, what })))
  }
  return found
}

/** Exceptions that nothing needs any more. */
export async function idleExceptions(admin: pg.Pool): Promise<Violation[]> {
  const idle: Violation[] = []
  for (const { name, sql, allowed = {} } of schemaRules) {
    const { rows } = await admin.query<{ what: string }>(sql)
    const broken = new Set(rows.map(({ what }) => what))
    idle.push(
      ...Object.keys(allowed)
        .filter((what) => !broken.has(what))
        .map((what) => ({ rule: name, what })),
    )
  }
  return idle
}
