import { randomBytes, randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { z } from 'zod'
import { defaultActivityStatuses, defaultActivityTypes } from '@outpost/rules/people/company-defaults'
import { withDatafix } from '@outpost/platform/db/datafix'
import { createPasswords } from '../apps/server/src/kernel/session/passwords.ts'
import { insertStaff } from '../prisma/seed/company.ts'
import type { DemoUser } from '../prisma/seed/people.ts'
import { insertRows } from '../prisma/seed/rows.ts'
import { groupNode, type TenantNode } from '../prisma/seed/tree.ts'
import { openDatabase } from './start/database.ts'
import { readSettings } from './start/settings.ts'

const usage = `npm run new:group -- --name "Savanna Group" --code SAV --email admin@example.com \\
  --company "Sunrise Credit" --companyCode SUN --country KE --currency KES --timeZone Africa/Nairobi`

const name = z.string('is needed').trim().min(2).max(120)
const code = z.string('is needed').regex(/^[A-Z0-9-]{2,10}$/, 'is 2 to 10 capital letters, digits or dashes')
const wanted = z.object({
  name,
  code,
  email: z.email('is needed').transform((email) => email.toLowerCase()),
  company: name,
  companyCode: code,
  country: z.string('is needed').regex(/^[A-Z]{2}$/, 'is two capital letters, e.g. KE'),
  currency: z.string('is needed').regex(/^[A-Z]{3}$/, 'is three capital letters, e.g. KES'),
  timeZone: z.string('is needed').refine((zone) => Intl.supportedValuesOf('timeZone').includes(zone), 'is a name like Africa/Nairobi'),
})

/**
 * Creates a group with its global administrator and its first company; further companies and people are added in the console. For a new
 * installation without demo data. Prints a password for the first sign-in.
 */
async function main(): Promise<void> {
  const options = Object.fromEntries(Object.keys(wanted.shape).map((option) => [option, { type: 'string' as const }]))
  const { values } = parseArgs({ options })
  const group = wanted.safeParse(values)
  if (!group.success)
    throw new Error(`${group.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n')}\nUsage: ${usage}`)
  const database = await openDatabase(readSettings())
  try {
    const password = randomBytes(15).toString('base64url')
    await found({ ...group.data, ...database, password })
    console.log(`${group.data.email} signs in with ${password}: change it under Profile`)
  } finally {
    await database.stop()
  }
}

interface Founding extends z.output<typeof wanted> {
  url: string
  secret: string
  deploySecret: string
  password: string
}

async function found({ url, secret, deploySecret, password, ...wish }: Founding): Promise<void> {
  const id = randomUUID()
  const passwordHash = await createPasswords([secret]).hash(password)
  await withDatafix({ url, deploySecret }, async (client) => {
    const group = { ...groupNode(), companyId: id, id, name: wish.name, shortCode: wish.code, path: [id] }
    await insertStaff(client, { of: 'group', nodes: [group], users: [administrator(id, wish.email)], passwordHash })
    await insertCompany(client, group, wish)
  })
}

async function insertCompany(client: pg.Client, group: TenantNode, wish: z.output<typeof wanted>): Promise<void> {
  const { company: name, companyCode: shortCode, country, currency, timeZone } = wish
  const companyId = randomUUID()
  const key = { companyId, tenantId: companyId }
  const node: TenantNode = {
    ...group,
    companyId,
    id: companyId,
    groupId: group.id,
    type: 2,
    name,
    shortCode,
    path: [companyId],
    country,
    currency,
    timeZone,
  }
  await insertStaff(client, { of: 'company', nodes: [node], users: [], passwordHash: '' })
  await insertRows(client, 'sync_stream', [{ companyId, seq: 0, minSeq: 0 }])
  await insertRows(
    client,
    'activity_type',
    defaultActivityTypes.map((type, position) => ({ ...key, id: randomUUID(), ...type, position })),
  )
  await insertRows(
    client,
    'activity_status',
    defaultActivityStatuses.map((status, position) => ({ ...key, id: randomUUID(), ...status, position })),
  )
}

const administrator = (companyId: string, email: string): DemoUser => ({
  companyId,
  id: randomUUID(),
  userName: email,
  emailAddress: email,
  firstName: 'Global',
  lastName: 'Administrator',
  mobile: '',
  jobTitle: 'Global Administrator',
  role: 'global',
  tenantIds: [companyId],
})

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
