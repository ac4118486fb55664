import { randomUUIDv7 } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { reaches } from '../../kernel/session/reach.ts'
import { assertWithinQuota, type Quota } from '../../kernel/quota.ts'
import { z } from 'zod'
import { identifierSchema } from '@outpost/contract/input'
import { audit } from '../../kernel/audit.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Setting } from '../../kernel/settings/define.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { endShare, ownerName, shareByName, sharedWith } from './view.shares.ts'

/** How many views a person may keep. */
export const mostViews: Setting = {
  name: 'savedViewsPerPerson',
  section: 'limits',
  label: 'Saved views',
  help: 'How many views of lists a person may keep.',
  unit: 'a person',
  min: 20,
  max: 2_000,
  standard: 200,
  level: 'company',
}
export const viewQuota: Quota = {
  name: 'savedViews',
  table: 'saved_view',
  most: mostViews,
  what: 'saved views',
  advice: 'Delete some first.',
}

const screen = z.string().trim().min(1).max(200)
const state = z.record(z.string().max(60), z.json()).refine((given) => JSON.stringify(given).length <= 20_000, 'is too large')
const changeable = {
  name: z.string().trim().min(1).max(80),
  scope: z.enum(['user', 'role', 'tenant', 'company']),
  isDefault: z.boolean(),
  state,
  /** Whose it is; without it the caller's first role, the tenant worked in. */
  roleId: idSchema.nullish(),
  tenantId: idSchema.nullish(),
  /** With whom a view of one's own is shared by name, exactly these; left out, they stay. */
  userIds: z.array(idSchema).max(50).optional(),
}
export const listInput = z.strictObject({ screen })
export const createInput = z.strictObject({
  ...changeable,
  screen,
  scope: changeable.scope.default('user'),
  isDefault: changeable.isDefault.default(false),
})
export const updateInput = z.strictObject({ id: idSchema, screen: screen.optional(), ...z.object(changeable).partial().shape })

const viewRow = z.strictObject({
  Id: identifierSchema,
  screen: z.string(),
  name: z.string(),
  scope: changeable.scope,
  isDefault: z.boolean(),
  isMine: z.boolean(),
  state: z.record(z.string(), z.unknown()),
  userId: identifierSchema.nullable(),
  roleId: identifierSchema.nullable(),
  tenantId: identifierSchema.nullable(),
  sharedBy: z.string().nullable(),
  sharedWith: z.array(z.strictObject({ Id: identifierSchema, label: z.string() })),
})
export const viewsAnswer = z.strictObject({ views: z.array(viewRow), defaultId: identifierSchema.nullable(), mayShare: z.boolean() })
export const viewAnswer = z.strictObject({ view: viewRow })

interface ViewRow {
  Id: string
  screen: string
  name: string
  scope: 'user' | 'role' | 'tenant' | 'company'
  isDefault: boolean
  isMine: boolean
  state: Record<string, unknown>
  userId: string | null
  roleId: string | null
  tenantId: string | null
  /** Who shares it with the caller by name; null on any other. */
  sharedBy: string | null
  /** With whom the caller shares it by name. */
  sharedWith: { Id: string; label: string }[]
}

/** The caller's own views and those shared by name, those of own roles, of the tenant worked in and those above it, and of the company. */
function visible({ company, user, tenant }: Ctx): Statement {
  return sql`v."companyId" = ${company.id}::uuid and case v."scope"
    when 'user' then v."userId" = ${user.id}::uuid or exists (
      select 1 from saved_view_share s where s."companyId" = v."companyId" and s."viewId" = v."id" and s."userId" = ${user.id}::uuid)
    when 'role' then exists (select 1 from user_role m where m."companyId" = v."companyId" and m."userId" = ${user.id}::uuid and m."roleId" = v."roleId")
    when 'tenant' then v."tenantId" = any(${tenant.path}::uuid[])
    else true end`
}

/** Somebody's own view, shared with the caller by name. */
const isLent = ({ user }: Ctx) => sql`(v."scope" = 'user' and v."userId" is distinct from ${user.id}::uuid)`
/** What opens its owner's list opens nobody else's. */
const columns = (ctx: Ctx) => sql`v."id" as "Id", v."screen", v."name", v."scope", v."isDefault" and not ${isLent(ctx)} as "isDefault",
  coalesce(v."userId" = ${ctx.user.id}::uuid, false) as "isMine", v."state", v."userId", v."roleId", v."tenantId",
  case when ${isLent(ctx)} then ${ownerName} end as "sharedBy",
  case when v."scope" = 'user' and not ${isLent(ctx)} then ${sharedWith} else '[]'::json end as "sharedWith"`
const narrowness = sql`array_position(array['user', 'role', 'tenant', 'company'], v."scope")`

/** Saved views of a screen, narrowest scope first and those that others share by name last; data.defaultId is the one the list opens with, mayShare whether the caller makes views that others see. */
export async function listViews(ctx: Ctx, input: z.infer<typeof listInput>): Promise<Answer> {
  const views = await ctx.sql.query<ViewRow>(sql`
    select ${columns(ctx)} from saved_view v where ${visible(ctx)} and v."screen" = ${input.screen} order by ${isLent(ctx)}, ${narrowness}, lower(v."name"), v."id" limit 200`)
  return { data: { views, defaultId: views.find((view) => view.isDefault)?.Id ?? null, mayShare: holdsAny(ctx, 'ADMIN/SETTINGS') } }
}

/** Keeps a view. What a whole role, tenant or company shall see takes ADMIN/SETTINGS; with colleagues by name anybody shares an own one. */
export async function createView(ctx: Ctx, input: z.infer<typeof createInput>): Promise<Answer> {
  const [id, place] = [randomUUIDv7(), await placeOf(ctx, input)]
  await assertWithinQuota(ctx, viewQuota)
  if (input.isDefault) await clearDefault(ctx, input.screen, place)
  const { screen, name, isDefault, state } = input
  await ctx.db.savedView.create({ data: { companyId: ctx.company.id, id, screen, name, userId: ctx.user.id, isDefault, state, ...place } })
  await shareByName(ctx, { Id: id, ...input, sharedWith: [] }, input.userIds)
  const view = await findView(ctx, id)
  audit(ctx, { action: 'view.create', objectType: 'view', objectId: id, after: view })
  return { data: { view }, message: 'View saved' }
}

/** Changes what the body names. */
export async function updateView(ctx: Ctx, { id, screen: _, ...input }: z.infer<typeof updateInput>): Promise<Answer> {
  const before = await findView(ctx, id, { isKept: true })
  refuseOthers(ctx, before)
  const next = { ...before, ...input }
  const isMoved = input.scope !== undefined || input.roleId !== undefined || input.tenantId !== undefined
  const place: Place = isMoved ? await placeOf(ctx, next) : { scope: before.scope, roleId: before.roleId, tenantId: before.tenantId }
  if (next.isDefault) await clearDefault(ctx, before.screen, place)
  const { name, isDefault } = next
  await ctx.db.savedView.update({
    where: { companyId_id: { companyId: ctx.company.id, id } },
    data: { name, isDefault, ...(input.state === undefined ? {} : { state: input.state }), ...place, dateModified: new Date() },
  })
  await shareByName(ctx, { ...next, scope: place.scope }, place.scope === 'user' ? input.userIds : (input.userIds ?? []))
  const view = await findView(ctx, id)
  audit(ctx, { action: 'view.update', objectType: 'view', objectId: id, before, after: view })
  return { data: { view }, message: 'View saved' }
}

export async function removeView(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const before = await findView(ctx, id)
  refuseOthers(ctx, before)
  await ctx.db.savedView.deleteMany({ where: { companyId: ctx.company.id, id } })
  audit(ctx, { action: 'view.remove', objectType: 'view', objectId: id, before })
  return { data: { ids: [id] }, message: 'View deleted' }
}

/** Takes the caller out of those with whom a view is shared by name. */
export async function leaveView(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const before = await findView(ctx, id)
  if ((await endShare(ctx, id)) === 0) fail('NOT_FOUND')
  audit(ctx, { action: 'view.leave', objectType: 'view', objectId: id, before })
  return { data: { ids: [id] }, message: 'The view is no longer in your list' }
}

/** The view, when the caller sees it; `isKept` holds it until the end of the transaction, so that changes at the same time follow each other. */
async function findView(ctx: Ctx, id: string, { isKept = false } = {}): Promise<ViewRow> {
  const company = ctx.company.id
  if (isKept) await ctx.sql.exec(sql`select 1 from saved_view where "companyId" = ${company}::uuid and "id" = ${id}::uuid for update`)
  const mayAll = holdsAny(ctx, 'ADMIN/SETTINGS') ? sql`v."scope" <> 'user'` : sql`false`
  const view = await ctx.sql.maybe<ViewRow>(sql`
    select ${columns(ctx)} from saved_view v where v."companyId" = ${company}::uuid and v."id" = ${id}::uuid and (${mayAll} or (${visible(ctx)}))`)
  return view ?? fail('NOT_FOUND')
}

function refuseOthers(ctx: Ctx, { scope, sharedBy }: Pick<ViewRow, 'scope'> & Partial<Pick<ViewRow, 'sharedBy'>>): void {
  if (sharedBy)
    fail('FORBIDDEN', {
      message: `Only ${sharedBy} changes this view. Save it as one of your own.`,
      fields: [{ field: 'id', message: 'is somebody else’s' }],
    })
  if (scope !== 'user' && !holdsAny(ctx, 'ADMIN/SETTINGS'))
    fail('FORBIDDEN', {
      message: 'Only an administrator changes views that others see.',
      fields: [{ field: 'scope', message: `is ${scope}` }],
    })
}

interface Place {
  scope: ViewRow['scope']
  roleId: string | null
  tenantId: string | null
}

/** Whose a shared view is; a role must exist, a tenant must be in reach. */
async function placeOf(
  ctx: Ctx,
  { scope, roleId, tenantId }: { scope: ViewRow['scope']; roleId?: string | null | undefined; tenantId?: string | null | undefined },
): Promise<Place> {
  refuseOthers(ctx, { scope })
  const refuse = (field: string) => fail('INVALID', { fields: [{ field, message: 'does not exist or is not in your reach' }] })
  if (scope === 'role') {
    const role = await ctx.sql.maybe<{ id: string }>(sql`
      select r."id" from role r where r."companyId" = ${ctx.company.id}::uuid and ${
        roleId
          ? sql`r."id" = ${roleId}::uuid`
          : sql`
        exists (select 1 from user_role m where m."companyId" = r."companyId" and m."roleId" = r."id" and m."userId" = ${ctx.user.id}::uuid)`
      } order by r."name" limit 1`)
    return role ? { scope, roleId: role.id, tenantId: null } : refuse('roleId')
  }
  if (scope !== 'tenant') return { scope, roleId: null, tenantId: null }
  const wanted = tenantId ?? ctx.tenant.id
  const tenant = await ctx.db.tenant.findFirst({ where: { companyId: ctx.company.id, id: wanted, deletedAt: null }, select: { id: true } })
  return tenant && reaches(ctx, wanted) ? { scope, roleId: null, tenantId: wanted } : refuse('tenantId')
}

/** One default a screen and owner. */
async function clearDefault(ctx: Ctx, name: string, { scope, roleId, tenantId }: Place): Promise<void> {
  await ctx.sql.exec(sql`
    update saved_view v set "isDefault" = false where v."companyId" = ${ctx.company.id}::uuid and v."screen" = ${name} and v."scope" = ${scope} and v."isDefault"
      and (${scope} <> 'user' or v."userId" = ${ctx.user.id}::uuid) and v."roleId" is not distinct from ${roleId}::uuid and v."tenantId" is not distinct from ${tenantId}::uuid`)
}
