import { Failure, fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../types.ts'
import { makeCtx } from './ctx.ts'
import type { Identity } from './identity.ts'
import type { PersonRow } from './identity-query.ts'
import type { SessionServices } from './services.ts'

export interface JobFor {
  /** The company the work is done in. */
  companyId: string
  /** Null: the program itself, which sees the whole company. */
  userId: string | null
  tenantId?: string | null
  requestId?: string
}

/** Actor of work that no person asked for. */
const program: PersonRow = {
  id: '00000000-0000-0000-0000-000000000000',
  companyId: '',
  firstName: 'Outpost',
  lastName: '',
  userName: 'outpost',
  emailAddress: '',
  status: 1,
  deletedAt: null,
  isProgram: false,
  tours: {},
  preferences: {},
  pictureId: null,
  selectedTenantId: null,
}

/**
 * The ctx of a job: the rights of the person it is done for as they are now, not as they were when it was asked for.
 * Stops with USER_DISABLED or TENANT_FORBIDDEN when that person may not work there any more.
 */
export async function makeJobCtx(services: SessionServices, job: JobFor): Promise<Ctx> {
  const identity = job.userId === null ? await programIn(services, job.companyId) : await personIn(services, job, job.userId)
  if (identity.company.id !== job.companyId) fail('TENANT_FORBIDDEN')
  return makeCtx({
    pools: services.pools,
    program: services.program,
    identity,
    log: services.log,
    source: 'job',
    ...(job.requestId ? { requestId: job.requestId } : {}),
  })
}

/**
 * The ctx of the program in a company that somebody outside names; undefined when there is no such company, or the person may not work there. Whatever else goes wrong is thrown: a busy
 * database says nothing of the company, and who called may call again.
 */
export async function makeNamedCtx(services: SessionServices, job: JobFor): Promise<Ctx | undefined> {
  try {
    return await makeJobCtx(services, job)
  } catch (error) {
    if (error instanceof Failure && error.error.status < 500) return undefined
    throw error
  }
}

async function personIn(services: SessionServices, { companyId, tenantId }: JobFor, userId: string): Promise<Identity> {
  const home = await services.store.sql.maybe<{ companyId: string }>(sql`
    select u."companyId" from app_user u
    where u."id" = ${userId}::uuid and u."companyId" in (
      select ${companyId}::uuid union all select "groupId" from tenant where "companyId" = ${companyId}::uuid and "id" = ${companyId}::uuid)`)
  if (!home) return fail('USER_DISABLED')
  // A person of the group chose no company by being asked for a job: the job's own is meant.
  const wanted = tenantId ?? (home.companyId === companyId ? null : companyId)
  return services.identities.load({ companyId: home.companyId, userId, sessionId: null, tenantId: wanted })
}

async function programIn(services: SessionServices, companyId: string): Promise<Identity> {
  const row = await services.store.sql.maybe<{
    id: string
    name: string
    shortCode: string
    type: number
    country: string | null
    currency: string | null
    timeZone: string | null
  }>(sql`
    select * from tenant where "companyId" = ${companyId}::uuid and "id" = ${companyId}::uuid`)
  if (!row) return fail('TENANT_FORBIDDEN')
  const tenant = {
    id: companyId,
    companyId,
    parentId: null,
    name: row.name,
    shortCode: row.shortCode,
    type: row.type,
    path: [companyId],
    locationRequired: false,
  }
  return {
    person: { ...program, companyId },
    session: null,
    actor: null,
    roles: [],
    ownPermissions: [],
    rolePermissions: [],
    permissions: new Set(),
    isGlobalAdministrator: true,
    mustChangePassword: false,
    assigned: [tenant],
    selected: tenant,
    tenant,
    scope: '*',
    ranges: null,
    company: {
      id: companyId,
      name: row.name,
      country: row.country?.trim() || 'ZA',
      currency: row.currency?.trim() || 'ZAR',
      timeZone: row.timeZone || 'Africa/Johannesburg',
    },
  }
}
