import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import { z } from 'zod'
import { defineArea, may, route } from '../../kernel/area.ts'
import { audit } from '../../kernel/audit.ts'
import { command, noInput, query } from '../../kernel/resource/operations.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'

const replayInput = z.strictObject({ ids: z.array(idSchema).min(1).max(500) })

const deadAnswer = z.strictObject({
  jobs: z.array(z.strictObject({
    Id: idSchema, type: z.string(), payload: z.record(z.string(), z.unknown()), userId: idSchema.nullable(),
    attempt: z.int(), lastError: z.string().nullable(), dateCreated: z.iso.datetime(),
  })),
})

const replayedAnswer = z.strictObject({ ids: z.array(idSchema) })

/** Jobs of the company that failed on every try, newest first; what they were about is in payload, as ids. */
async function listDead(ctx: Ctx): Promise<Answer> {
  const jobs = await ctx.sql.query(sql`
    select "id" as "Id", "type", "payload", "userId", "attempt", "lastError", "dateCreated" from outbox
    where "companyId" = ${ctx.company.id}::uuid and "status" = 'dead' order by "dateCreated" desc limit 500`)
  return { data: { jobs }, meta: { page: 1, size: 500, total: jobs.length } }
}

interface DeadJob { id: string, type: string, payload: Record<string, unknown>, userId: string | null }

/** Gives dead jobs five new tries, each as a new entry: the queue never runs an id twice. All of them or none. */
async function replay(ctx: Ctx, { ids }: z.infer<typeof replayInput>): Promise<Answer> {
  const wanted = [...new Set(ids)]
  const dead = await ctx.sql.query<DeadJob>(sql`
    update outbox set "status" = 'replayed', "doneAt" = now()
    where "companyId" = ${ctx.company.id}::uuid and "id" = any(${wanted}::uuid[]) and "status" = 'dead'
    returning "id", "type", "payload", "userId"`)
  if (dead.length !== wanted.length) fail('NOT_FOUND')
  await enqueue(ctx.sql, dead.map(({ type, payload, userId }) => ({ companyId: ctx.company.id, userId, type, payload })))
  audit(ctx, dead.map(({ id, type }) => ({ action: 'jobs.replay', objectType: 'outbox', objectId: id, after: { type } })))
  return { data: { ids: wanted }, message: 'Jobs are tried again' }
}

/** What runs beside requests, as far as an administrator must look at it. */
export const jobsArea = defineArea({
  name: 'jobs',
  routes: [
    route('jobs.dead', 'GET', '/api/jobs/dead', may('ADMIN/SETTINGS'), query(noInput, listDead, deadAnswer), { own: true, summary: 'Jobs that failed on every try' }),
    route('jobs.replay', 'POST', '/api/jobs/replay', may('ADMIN/SETTINGS'), command(replayInput, replay, replayedAnswer), { own: true, summary: 'Tries dead jobs again' }),
  ],
})
