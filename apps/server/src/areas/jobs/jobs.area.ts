import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { enqueue } from '@outpost/platform/outbox'
import { z } from 'zod'
import { defineArea, may, route } from '../../kernel/area.ts'
import { audit } from '../../kernel/audit.ts'
import { command, list } from '../../kernel/resource/operations.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { listOf, screen } from '../../kernel/screens/screen.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { deadJob } from './dead-job.resource.ts'

const replayInput = z.strictObject({ ids: z.array(idSchema).min(1).max(500) })

const replayedAnswer = z.strictObject({ ids: z.array(idSchema) })

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
  resources: [deadJob],
  routes: [
    route('jobs.dead', 'GET', '/api/jobs/dead', may('ADMIN/SETTINGS'), list(deadJob), { own: true, summary: 'Jobs that failed on every try' }),
    route('jobs.replay', 'POST', '/api/jobs/replay', may('ADMIN/SETTINGS'), command(replayInput, replay, replayedAnswer), { own: true, summary: 'Tries dead jobs again' }),
  ],
  screens: [screen('/admin/dead-jobs', may('ADMIN/SETTINGS'), listOf(deadJob, { source: 'jobs.dead' }), { menu: { under: 'administration', label: 'Jobs that failed', icon: 'history', order: 83 } })],
})
