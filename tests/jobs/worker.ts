import { createPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import { createLog } from '@outpost/platform/log'
import { createMail } from '@outpost/platform/mail'
import { createRelay } from '@outpost/platform/relay'
import { defineArea } from '../../apps/server/src/kernel/area.ts'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { setBus, sendToUser } from '../../apps/server/src/kernel/realtime/bus.ts'
import { session, startSession } from '../../apps/server/src/kernel/session/services.ts'
import type { Ctx, JobDefinition } from '../../apps/server/src/kernel/types.ts'

// A worker to kill or to freeze: runs jobs that each leave one row.
const [url = '', secret = '', redisUrl, mailFolder = ''] = process.argv.slice(2)
const log = createLog({ level: 'silent' })
const mail = createMail({ from: 'outpost@localhost', folder: mailFolder, log })

const leave = (kind: string, detail: string) => (ctx: Ctx) =>
  ctx.sql.exec(sql`
  insert into error_log ("companyId", "id", "tenantId", "userId", "entityType", "errorDetail")
  values (${ctx.company.id}::uuid, uuidv7(), ${ctx.tenant.id}::uuid, ${ctx.user.id}::uuid, ${kind}, ${detail})`)

/** Everything a job can do to the world outside, each thing by itself. */
const effects: Record<string, (ctx: Ctx, try_: string) => Promise<unknown>> = {
  row: (ctx, attempt) => ctx.transaction(leave('effect', attempt)),
  mail: (_ctx, attempt) => mail.send({ to: 'amina@sunrise.test', subject: `try ${attempt}`, text: 'Done.' }),
  message: async (ctx, attempt) =>
    sendToUser({ companyId: ctx.company.id, userId: ctx.user.id }, 'notification', {
      Id: '',
      itemType: 'Message',
      message: attempt,
      dateCreated: '',
    }),
  account: (ctx) =>
    session().store.write(null, (db) => db.exec(sql`update app_user set "lastSeenAt" = now() where "id" = ${ctx.user.id}::uuid`)),
}

const jobs: JobDefinition[] = [
  {
    name: 'test.counted',
    run: async (ctx, { n }) => {
      await new Promise((done) => setTimeout(done, 5))
      await leave('counted', String(n))(ctx)
    },
  },
  {
    name: 'test.frozen',
    ownTransaction: true,
    run: async (ctx, { effect }, { attempt }) => {
      process.send?.({ begun: attempt })
      while (!(await ctx.sql.maybe(sql`select from error_log where "entityType" = 'go'`))) await new Promise((done) => setTimeout(done, 20))
      const outcome = await (effects[String(effect)] as (typeof effects)[string])(ctx, String(attempt)).then(
        () => 'done',
        (error: Error) => error.constructor.name,
      )
      process.send?.({ ended: attempt, outcome })
    },
  },
  {
    name: 'test.poison',
    ownTransaction: true,
    run: async () => process.kill(process.pid, 'SIGKILL') as never,
    whenDead: async (ctx, { n }, { lastError }) => void (await leave('dead', `${String(n)} ${lastError}`)(ctx)),
  },
]
const relay = createRelay({ databaseUrl: url, secret }, log)
setBus(relay)
const services = await startSession({ pools: createPools({ url, secret, size: 8, log }), secret, log, publicUrl: 'http://outpost.test' })
const store = { databaseUrl: url, secret, redisUrl: redisUrl || undefined }
startJobs({
  areas: [defineArea({ name: 'test', jobs })],
  services,
  store,
  log,
  leaseMs: Number(process.env.LEASE_MS ?? 1_500),
  sweepMs: 100,
})
process.send?.('ready')
