import { sql } from '@outpost/platform/db/sql'
import { enqueueJob } from '../jobs/enqueue.ts'
import { defineArea } from '../area.ts'
import type { Area, Ctx, JobDefinition } from '../types.ts'
import { finishJob } from './finish.ts'

const dayMs = 86_400_000
const type = 'providers.eraseMessages'

/** Has a connection looked at tomorrow, for messages whose time is over. */
export const scheduleErasure = (ctx: Ctx, connectionId: string) => enqueueJob(ctx, type, { connectionId }, new Date(Date.now() + dayMs))

/** Erases what a provider sent once its time is over: bytes and error go, the id and the answer stay. Daily, until the connection is closed and empty. */
const eraseMessages: JobDefinition<{ connectionId: string }> = {
  name: type,
  run: async (ctx, { connectionId }) => {
    await ctx.sql.exec(sql`
      update provider_message set "body" = '', "lastError" = null, "expiresAt" = null
      where "companyId" = ${ctx.company.id}::uuid and "connectionId" = ${connectionId}::uuid and "expiresAt" <= now()`)
    const goesOn = await ctx.sql.maybe(sql`
      select from provider_connection c where c."companyId" = ${ctx.company.id}::uuid and c."id" = ${connectionId}::uuid and (c."revokedAt" is null
        or exists (select from provider_message m where m."companyId" = c."companyId" and m."connectionId" = c."id" and m."expiresAt" is not null))`)
    if (goesOn) await scheduleErasure(ctx, connectionId)
  },
}

/** The jobs that end the time of stored messages and do what was left of them, for the `areas` that have doors of providers. */
export function providersArea(areas: readonly Area[]): Area {
  const doors = areas
    .flatMap(({ routes }) => routes)
    .flatMap(({ name, operation }) => ('finish' in operation && operation.finish ? [[name, operation.finish] as const] : []))
  return defineArea({ name: 'providers', jobs: [eraseMessages, finishJob(new Map(doors))] })
}
