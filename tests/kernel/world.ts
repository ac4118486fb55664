import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { fail } from '@outpost/contract/errors'
import type { Permission } from '@outpost/contract/permissions'
import { createFiles } from '@outpost/platform/files/store'
import { createLog } from '@outpost/platform/log'
import { makeCtx } from '../../apps/server/src/kernel/session/ctx.ts'
import type { Identity } from '../../apps/server/src/kernel/session/identity.ts'
import { loadDeclarations, newProgram } from '../../apps/server/src/kernel/session/program.ts'
import { createStreams } from '../../apps/server/src/kernel/streams.ts'
import { mount, type MountOptions } from '../../apps/server/src/kernel/mount.ts'
import type { Ctx, TenantRef } from '../../apps/server/src/kernel/types.ts'
import { answerCheck } from '../support/answers.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'

/** What the areas of the apps of a test declare. */
const program = newProgram()
export const log = createLog({ level: process.env.TEST_LOG ?? 'silent' })

export interface Company {
  id: string
  branch: TenantRef
  other: TenantRef
  root: TenantRef
  userId: string
}
export interface World {
  database: TestDatabase
  a: Company
  b: Company
  close(): Promise<void>
}
export interface As {
  scope?: '*' | readonly string[]
  tenant?: TenantRef
  permissions?: readonly Permission[]
  isGlobal?: boolean
  userId?: string
  /** Who really acts. */ actorId?: string
}

/** Two companies of two branches and one user each, in a database of their own. */
export async function makeWorld(): Promise<World> {
  const database = await testDatabase()
  const [a, b] = [await makeCompany(database, 'Alpha', 'AL'), await makeCompany(database, 'Beta', 'BE')]
  return { database, a, b, close: () => database.drop() }
}

async function makeCompany({ admin }: TestDatabase, name: string, shortCode: string): Promise<Company> {
  const [id, first, second, userId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const ref = (tenantId: string, label: string, type: number, path: string[]): TenantRef => ({
    id: tenantId,
    companyId: id,
    parentId: type === 2 ? null : id,
    name: label,
    shortCode: label,
    type,
    path,
    locationRequired: false,
  })
  const root = ref(id, name, 2, [id])
  const branch = ref(first, `${shortCode}1`, 3, [id, first])
  const other = ref(second, `${shortCode}2`, 3, [id, second])
  for (const one of [root, branch, other]) {
    await admin.query(
      'insert into tenant ("companyId", id, "parentId", type, name, "shortCode", path, country, currency, "timeZone") values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10)',
      [id, one.id, one.parentId, one.type, one.name, one.shortCode, one.path, 'KE', 'KES', 'Africa/Nairobi'],
    )
  }
  await admin.query(
    'insert into app_user ("companyId", id, "userName", "emailAddress", "firstName", "lastName", "tenantId") values ($1,$2,$3,$4,$5,$6,$7)',
    [id, userId, `${shortCode}.user`, `${shortCode.toLowerCase()}@outpost.test`, 'Asha', name, first],
  )
  return { id, branch, other, root, userId }
}

/** A ctx of the company's user; the whole company unless a scope is given. */
export function ctxOf(
  { database }: World,
  company: Company,
  { scope = '*', tenant = company.branch, permissions = [], isGlobal = false, userId = company.userId, actorId }: As = {},
): Ctx {
  const person = {
    id: userId,
    companyId: company.id,
    firstName: 'Asha',
    lastName: 'Odhiambo',
    userName: 'asha',
    emailAddress: 'asha@outpost.test',
    status: 1,
    deletedAt: null,
    isProgram: false,
    tours: {},
    preferences: {},
    pictureId: null,
    selectedTenantId: null,
  }
  const identity: Identity = {
    person,
    session: null,
    actor: actorId === undefined ? null : { ...person, id: actorId },
    roles: [],
    ownPermissions: [],
    rolePermissions: [],
    permissions: new Set(permissions),
    isGlobalAdministrator: isGlobal,
    mustChangePassword: false,
    assigned: [tenant],
    selected: tenant,
    tenant,
    scope,
    ranges: null,
    company: { id: company.id, name: company.root.name, country: 'KE', currency: 'KES', timeZone: 'Africa/Nairobi' },
  }
  return makeCtx({ pools: database.pools, identity, log, program })
}

/** An app over the areas; the authorization header names one of the callers. */
export async function appOf(
  options: Pick<MountOptions, 'areas' | 'counters'> & Partial<Pick<MountOptions, 'files'>>,
  callers: Record<string, Ctx>,
): Promise<FastifyInstance> {
  loadDeclarations(program, options.areas)
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await mount(app, {
    ...options,
    log,
    checkAnswer: answerCheck().check,
    files: options.files ?? createFiles({ folder: join(tmpdir(), `outpost-files-${randomUUID()}`) }),
    streams: createStreams({ perProcess: 4 }),
    openCtx: async ({ authorization = '' }) => callers[authorization] ?? fail('NO_SESSION'),
  })
  await app.ready()
  return app
}
