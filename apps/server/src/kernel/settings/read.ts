import { sql } from '@outpost/platform/db/sql'
import { session } from '../session/services.ts'
import type { Ctx } from '../types.ts'
import type { Setting, TextSetting } from './define.ts'
import { effectiveOf } from './effective.ts'

/** The value of a setting for a tenant of the company worked in; default: the one worked in. Usually costs no query. */
export async function settingOf(ctx: Ctx, setting: Setting, tenantId = ctx.tenant.id): Promise<number> {
  const chosen = await session().settings.of(ctx.company.id)
  if (!chosen.byName.has(setting.name)) return setting.standard
  const path = tenantId === ctx.tenant.id ? ctx.tenant.path : await pathOf(ctx, tenantId)
  return effectiveOf(chosen, setting, path).value
}

/** The text that counts for the tenant worked in. Usually costs no query. */
export async function choiceOf({ company, tenant }: Pick<Ctx, 'company' | 'tenant'>, setting: TextSetting): Promise<string> {
  return effectiveOf(await session().settings.of(company.id), setting, tenant.path).value
}

async function pathOf(ctx: Ctx, tenantId: string): Promise<readonly string[]> {
  const found = await ctx.sql.maybe<{ path: string[] }>(sql`
    select "path" from tenant where "companyId" = ${ctx.company.id}::uuid and "id" = ${tenantId}::uuid`)
  return found?.path ?? [ctx.company.id]
}
