import { createPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import { createLog } from '@outpost/platform/log'
import { defineArea } from '../../apps/server/src/kernel/area.ts'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { startSession } from '../../apps/server/src/kernel/session/services.ts'
import type { JobDefinition } from '../../apps/server/src/kernel/types.ts'

// A worker to kill: runs jobs that each leave one row.
const [url = '', secret = '', redisUrl] = process.argv.slice(2)
const log = createLog({ level: 'silent' })
const counted: JobDefinition = {
  name: 'test.counted',
  run: async (ctx, { n }) => {
    await new Promise((done) => setTimeout(done, 5))
    await ctx.sql.exec(sql`insert into error_log ("companyId", "id", "tenantId", "userId", "entityType", "errorDetail")
      values (${ctx.company.id}::uuid, uuidv7(), ${ctx.tenant.id}::uuid, ${ctx.user.id}::uuid, 'counted', ${String(n)})`)
  },
}
const services = startSession({ pools: createPools({ url, secret, size: 8, log }), secret, log, publicUrl: 'http://outpost.test' })
const store = { databaseUrl: url, secret, redisUrl: redisUrl || undefined }
startJobs({ areas: [defineArea({ name: 'test', jobs: [counted] })], services, store, log, leaseMs: 1_500, sweepMs: 100 })
process.send?.('ready')
