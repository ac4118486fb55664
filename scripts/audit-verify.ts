import { resolve } from 'node:path'
import { anchorStore, knownCompanies, verifyAudit } from '@outpost/platform/audit-anchors'
import { readerIn } from '@outpost/platform/db/context'
import { createPools } from '@outpost/platform/db/pool'
import { formerSecrets } from '@outpost/platform/db/secrets'
import { withDatabase } from '@outpost/platform/db/roles'
import { withTarget } from './target.ts'

/** Verifies the audit chains of all companies against the anchors under DATA_DIR; exits with 1 when one is broken. */
await withTarget(async ({ adminUrl, secret, accessSecret = secret, database }) => {
  const store = anchorStore(
    resolve(import.meta.dirname, '..', process.env.DATA_DIR ?? '.data'),
    secret,
    formerSecrets.parse(process.env.SECRETS_BEFORE),
  )
  const pools = createPools({ url: database ? withDatabase(adminUrl, database) : adminUrl, secret: accessSecret, size: 2 })
  try {
    for (const companyId of await knownCompanies(store, pools)) {
      const { entries, anchors, breaks } = await verifyAudit(
        store,
        readerIn(pools.app, { company: companyId, scope: '*', user: null, tenant: null }),
        companyId,
      )
      console.log(`${companyId}: ${entries} entries, ${anchors} anchors, ${breaks.length === 0 ? 'whole' : 'BROKEN'}`)
      for (const { seq, reason } of breaks.slice(0, 50)) console.log(`  entry ${seq}: ${reason}`)
      if (breaks.length > 0) process.exitCode = 1
    }
  } finally {
    await pools.close()
  }
}).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
