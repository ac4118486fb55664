import { resolve } from 'node:path'
import { anchorStore, resealAnchors } from '@outpost/platform/audit-anchors'
import { withDatabase } from '@outpost/platform/db/roles'
import { formerSecrets } from '@outpost/platform/db/secrets'
import { readEnv } from '@outpost/platform/env'
import pg from 'pg'
import { z } from 'zod'
import { resealAll, stillFormer } from './secrets/reseal.ts'
import { withTarget } from './target.ts'

const settings = z.object({ SECRETS_BEFORE: formerSecrets, DATA_DIR: z.string().default('.data') })

/**
 * Seals anew under SECRET what the secrets of SECRETS_BEFORE have sealed, the audit anchors under DATA_DIR too, and says what still needs a former one
 * (`npm run reseal`; needs a superuser's DATABASE_URL, as migrate does). Servers may run meanwhile when they have both settings.
 */
async function main(): Promise<void> {
  const { SECRETS_BEFORE, DATA_DIR } = readEnv(settings)
  if (SECRETS_BEFORE.length === 0) throw new Error('SECRETS_BEFORE: names the master secret that SECRET has replaced')
  await withTarget(async ({ adminUrl, secret, database }) => {
    const secrets = [secret, ...SECRETS_BEFORE] as const
    const client = new pg.Client({ connectionString: database ? withDatabase(adminUrl, database) : adminUrl })
    await client.connect()
    try {
      const found = await resealAll(client, secrets, (line) => console.log(line))
      await client.query('begin')
      // No server adds an anchor meanwhile.
      await client.query(`select pg_advisory_xact_lock(hashtextextended('audit anchors', 0))`)
      const anchors = await resealAnchors(anchorStore(resolve(import.meta.dirname, '..', DATA_DIR), secret, SECRETS_BEFORE))
      await client.query('commit')
      for (const { column, were, resealed, lost } of found) {
        console.log(
          `${column}: ${resealed} sealed anew, ${were} were so already${lost > 0 ? `, ${lost} NOT READABLE by any of the secrets` : ''}`,
        )
        if (lost > 0) process.exitCode = 1
      }
      console.log(`${anchors} audit anchors signed anew`)
      console.log('Still needing a former secret (keep SECRETS_BEFORE as long as you want these to work):')
      for (const [what, count] of Object.entries(await stillFormer(client, secrets))) console.log(`  ${count} ${what}`)
    } finally {
      await client.end()
    }
  })
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
