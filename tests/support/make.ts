import { randomUUID } from 'node:crypto'
import { defaultRoles } from '@outpost/rules/people/company-defaults'
import type { Permission } from '@outpost/contract/permissions'
import { systemRoles, type SystemRoleKey } from '@outpost/contract/roles'
import { createPasswords } from '../../apps/server/src/kernel/session/passwords.ts'
import type { TestDatabase } from './db.ts'

export const demoPassword = 'outpost-demo-2026'

export interface MadeTenant {
  id: string
  companyId: string
  parentId: string | null
  groupId: string | null
  type: number
  name: string
  shortCode: string
  path: string[]
}
export interface MadeRole {
  id: string
  companyId: string
  name: string
}
export interface MadeUser {
  id: string
  companyId: string
  tenantId: string
  userName: string
  emailAddress: string
  firstName: string
  lastName: string
  password: string
}
export interface MadeLead {
  id: string
  companyId: string
  tenantId: string
  firstName: string
  lastName: string
  phonenumber: string
}

export interface TenantOptions {
  company?: MadeTenant
  parent?: MadeTenant
  type?: 3 | 4
  name?: string
  [column: string]: unknown
}
export interface UserOptions {
  /** That of somebody whom a stored file names. */
  id?: string
  /** A system role, or one made by make.role; default: administrator. */
  role?: SystemRoleKey | MadeRole
  roles?: MadeRole[]
  /** Works here; default: the company. */
  tenant?: MadeTenant
  tenants?: MadeTenant[]
  company?: MadeTenant
  /** Given to the user beside the roles. */
  permissions?: readonly (Permission | string)[]
  password?: string | null
  firstName?: string
  lastName?: string
  userName?: string
  emailAddress?: string
  status?: number
  /** An API user. */
  isProgram?: boolean
}

/** Factories that fill in what is not said, parents included. They write as the superuser, past all walls. */
export interface Make {
  group(options?: { name?: string }): Promise<MadeTenant>
  company(options?: { group?: MadeTenant; name?: string; country?: string; currency?: string; timeZone?: string }): Promise<MadeTenant>
  /** A branch (type 3) of a company, or a team (type 4) below a branch. */
  tenant(options?: TenantOptions): Promise<MadeTenant>
  role(options: { company: MadeTenant; name: string; systemRole?: SystemRoleKey; permissions?: readonly string[] }): Promise<MadeRole>
  user(options?: UserOptions): Promise<MadeUser>
  lead(options?: { tenant?: MadeTenant; user?: MadeUser; [column: string]: unknown }): Promise<MadeLead>
  /** A route plan without stops; days as 2026-04-06. */
  plan(options: { tenant: MadeTenant; name: string; startDate: string; endDate: string }): Promise<{ id: string }>
  client(options: { tenant: MadeTenant; [column: string]: unknown }): Promise<{ id: string }>
  /** Any row of any table: columns by their names. */
  row<Row extends object = Record<string, unknown>>(table: string, columns: Record<string, unknown>): Promise<Row>
}

let count = 0
const names = ['Asha', 'Baraka', 'Chidi', 'Dalia', 'Esi', 'Farai', 'Grace', 'Hamisi', 'Imani', 'Jabu']
/** One argon2 hash a master secret: 30 ms once instead of for every user. */
const hashes = new Map<string, Promise<string>>()

function hashOf(secret: string, password: string): Promise<string> {
  const key = `${secret} ${password}`
  const hash = hashes.get(key) ?? createPasswords([secret]).hash(password)
  hashes.set(key, hash)
  return hash
}

/** The factories for one database. */
export function createMake({ admin, secret }: Pick<TestDatabase, 'admin' | 'secret'>): Make {
  const row: Make['row'] = async <Row extends object>(table: string, columns: Record<string, unknown>) => {
    // Devices hold these: the guard wants to see the stream of the company.
    if (table === 'loan_application') return insertSynced<Row & { id: string }>(context, table, columns)
    const keys = Object.keys(columns)
    const holes = keys.map((_, index) => `$${index + 1}`).join(', ')
    const { rows } = await admin.query<Row>(
      `insert into ${table} (${keys.map((key) => `"${key}"`).join(', ')}) values (${holes}) returning *`,
      Object.values(columns),
    )
    return rows[0] as Row
  }
  const context = { row, secret, admin }
  const company: Make['company'] = async ({ group, name, country = 'KE', currency = 'KES', timeZone = 'Africa/Nairobi' } = {}) => {
    const id = randomUUID()
    const number = (count += 1)
    const made = await row<MadeTenant>('tenant', {
      companyId: id,
      id,
      groupId: group?.id ?? null,
      type: 2,
      name: name ?? `Company ${number}`,
      shortCode: `C${number}`,
      path: [id],
      country,
      currency,
      timeZone,
    })
    await makeRoles(context, id, 'company')
    await row('sync_stream', { companyId: id })
    return made
  }
  const make: Make = {
    row,
    company,
    group: async ({ name } = {}) => {
      const id = randomUUID()
      const number = (count += 1)
      const made = await row<MadeTenant>('tenant', {
        companyId: id,
        id,
        type: 1,
        name: name ?? `Group ${number}`,
        shortCode: `G${number}`,
        path: [id],
      })
      await makeRoles(context, id, 'group')
      return made
    },
    tenant: async ({ company: given, parent, type, name, ...columns } = {}) => {
      const above = parent ?? given ?? (await company())
      const [id, number] = [randomUUID(), (count += 1)]
      const kind = type ?? (above.type === 2 ? 3 : 4)
      return row<MadeTenant>('tenant', {
        companyId: above.companyId,
        id,
        parentId: above.id,
        type: kind,
        name: name ?? `${kind === 3 ? 'Branch' : 'Team'} ${number}`,
        shortCode: `T${number}`,
        path: [...above.path, id],
        ...columns,
      })
    },
    role: async ({ company: { id: companyId }, name, systemRole = null, permissions = [] }) => {
      const role = await row<MadeRole>('role', { companyId, id: randomUUID(), name, systemRole })
      for (const hierarchy of permissions) await row('role_permission', { companyId, roleId: role.id, hierarchy })
      return role
    },
    user: (options = {}) => makeUser(make, context, options),
    lead: (options = {}) => makeLead(make, context, options),
    plan: ({ tenant, ...columns }) =>
      insertSynced<{ id: string }>(context, 'activity_plan', {
        companyId: tenant.companyId,
        id: randomUUID(),
        tenantId: tenant.id,
        createdUserId: randomUUID(),
        createdBy: 'A manager',
        ...columns,
      }),
    client: ({ tenant, ...columns }) =>
      insertSynced(context, 'client', {
        companyId: tenant.companyId,
        id: randomUUID(),
        tenantId: tenant.id,
        firstName: 'Wanjiru',
        lastName: 'Kamau',
        phonenumber: '0700000001',
        trimmedPhonenumber: '254700000001',
        createdByUserId: randomUUID(),
        ...columns,
      }),
  }
  return make
}

interface Context {
  row: Make['row']
  secret: string
  admin: TestDatabase['admin']
}

async function makeRoles({ admin }: Context, companyId: string, of: 'company' | 'group'): Promise<void> {
  const roles = defaultRoles(of).map((role) => ({ ...role, id: randomUUID() }))
  await admin.query(
    `insert into role ("companyId", id, name, "systemRole") select $1, r.id, r.name, r."systemRole"
    from jsonb_to_recordset($2::jsonb) as r(id uuid, name text, "systemRole" text)`,
    [companyId, JSON.stringify(roles)],
  )
  await admin.query(
    `insert into role_permission ("companyId", "roleId", hierarchy) select $1, r.id, p
    from jsonb_to_recordset($2::jsonb) as r(id uuid, permissions jsonb), jsonb_array_elements_text(r.permissions) p`,
    [companyId, JSON.stringify(roles)],
  )
}

async function makeUser(make: Make, { row, secret, admin }: Context, options: UserOptions): Promise<MadeUser> {
  const home = options.company ?? options.tenant ?? options.tenants?.[0] ?? (await make.company())
  const { companyId } = home
  const tenants = options.tenants ?? [options.tenant ?? home]
  const number = (count += 1)
  const firstName = options.firstName ?? names[number % names.length] ?? 'Asha'
  const userName = options.userName ?? `${firstName.toLowerCase()}.${number}`
  const user = await row<MadeUser>('app_user', {
    companyId,
    id: options.id ?? randomUUID(),
    userName,
    emailAddress: (options.emailAddress ?? `${userName}@outpost.test`).toLowerCase(),
    firstName,
    lastName: options.lastName ?? 'Odhiambo',
    tenantId: tenants[0]?.id,
    status: options.status ?? 1,
    isProgram: options.isProgram ?? false,
  })
  for (const [position, { id }] of tenants.entries()) await row('user_tenant', { companyId, userId: user.id, tenantId: id, position })
  for (const role of options.roles ?? [options.role ?? 'admin']) {
    const roleId = typeof role === 'string' ? await systemRoleId(admin, companyId, role) : role.id
    await row('user_role', { companyId, userId: user.id, roleId })
  }
  // Who makes no other choice may be followed at work, as of long ago.
  if (options.isProgram !== true)
    await row('tracking_consent', {
      companyId,
      id: randomUUID(),
      userId: user.id,
      tenantId: tenants[0]?.id,
      status: 'Given',
      givenAt: '2020-01-01T00:00:00Z',
    })
  for (const hierarchy of options.permissions ?? []) await row('user_permission', { companyId, userId: user.id, hierarchy })
  const password = options.password === undefined ? demoPassword : options.password
  if (password !== null) await row('credential', { companyId, userId: user.id, passwordHash: await hashOf(secret, password) })
  return { ...user, password: password ?? '' }
}

async function systemRoleId(admin: TestDatabase['admin'], companyId: string, key: SystemRoleKey): Promise<string> {
  const { rows } = await admin.query<{ id: string }>('select id from role where "companyId" = $1 and "systemRole" = $2', [companyId, key])
  const [role] = rows
  if (!role)
    throw new Error(
      `There is no role ${systemRoles.find((one) => one.key === key)?.name} in ${companyId}: only a group has global administrators`,
    )
  return role.id
}

async function makeLead(
  make: Make,
  context: Context,
  { tenant: given, user, ...columns }: Parameters<Make['lead']>[0] & object,
): Promise<MadeLead> {
  const tenant = given ?? (await make.tenant())
  const number = (count += 1)
  const phone = `07${String(number).padStart(8, '0')}`
  return insertSynced<MadeLead>(context, 'lead', {
    companyId: tenant.companyId,
    id: randomUUID(),
    tenantId: tenant.id,
    firstName: names[number % names.length],
    lastName: `Lead ${number}`,
    phonenumber: phone,
    trimmedPhonenumber: `254${phone.slice(1)}`,
    countryCode: 'KE',
    createdByUserId: user?.id ?? randomUUID(),
    leadCreatedBy: user?.userName ?? 'test',
    ...columns,
  })
}

/** The guard of synced tables wants to see the company's stream; a factory works outside of it, so that devices hear nothing of the row. */
async function insertSynced<Row extends { id: string }>({ admin }: Context, table: string, values: Record<string, unknown>): Promise<Row> {
  const client = await admin.connect()
  try {
    await client.query('begin')
    await client.query("select set_config('app.company', $1, true), set_config('app.stream', $1, true)", [values['companyId']])
    const keys = Object.keys(values)
    const { rows } = await client.query<Row>(
      `insert into ${table} (${keys.map((key) => `"${key}"`).join(', ')}) values (${keys.map((_, index) => `$${index + 1}`).join(', ')}) returning *`,
      Object.values(values),
    )
    await client.query('commit')
    return rows[0] as Row
  } finally {
    client.release()
  }
}
