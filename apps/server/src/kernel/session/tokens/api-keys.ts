import { createHash, randomBytes } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Log } from '@outpost/platform/log'
import { LRUCache } from 'lru-cache'
import { later, type Clock } from '../clock.ts'
import type { SessionChange } from '../change.ts'
import type { AuthStore } from '../store.ts'

/** What a key looks like: a mark that scanners for leaked secrets find, eight letters that tell keys apart, the secret. */
const shape = /^opk_([A-Za-z0-9]{8})_([A-Za-z0-9_-]{43})$/

/** True for text in the shape of a key of an API user. */
export const isApiKey = (text: string): boolean => shape.test(text)

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'

/** A fresh key with 256 bits of secret, and the eight letters that people know it by. */
export function makeApiKey(): { key: string; prefix: string } {
  const prefix = [...randomBytes(8)].map((byte) => letters[byte % letters.length]).join('')
  return { prefix, key: `opk_${prefix}_${randomBytes(32).toString('base64url')}` }
}

/** What the database keeps of a key. A secret of 256 bits needs no slow hash. */
export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** A key that is remembered is looked at again after this time, even if no message about its end arrives. */
const rememberedMilliseconds = 5_000
/** How exact the time of the last use is. */
const usedMilliseconds = 60_000

interface KeyRow {
  companyId: string
  userId: string
  id: string
}

export interface ApiKeys {
  /** Whose key it is. Stops with NO_SESSION on a key that does not exist, was revoked or is past its time. */
  verify(key: string, ip: string | null): Promise<{ companyId: string; userId: string }>
  /** Forgets what is remembered of the keys of a user, or of a company. */
  forget(change: SessionChange): void
}

/** Keys of API users, each looked up at most every five seconds. */
export function createApiKeys({ store, clock, log }: { store: AuthStore; clock: Clock; log: Log }): ApiKeys {
  const known = new LRUCache<string, KeyRow & { at: number; usedAt: number }>({ max: 5_000 })
  const use = async ({ companyId, id }: KeyRow, ip: string | null) => {
    await store.write(null, (db) =>
      db.exec(sql`
        update api_key set "lastUsedAt" = ${later(clock)}, "lastUsedIp" = ${ip}
        where "companyId" = ${companyId}::uuid and "id" = ${id}::uuid`),
    )
  }
  return {
    async verify(key, ip) {
      const [name, now] = [hashApiKey(key).toString('base64'), clock.now()]
      const before = known.get(name)
      if (before && now - before.at < rememberedMilliseconds && now >= before.at) return before
      const row = await store.sql.maybe<KeyRow>(sql`
        select "companyId", "userId", "id" from api_key
        where "keyHash" = ${hashApiKey(key)} and "revokedAt" is null and "expiresAt" > ${later(clock)}`)
      if (!row) {
        known.delete(name)
        return fail('NO_SESSION')
      }
      const isDue = !before || now - before.usedAt >= usedMilliseconds
      known.set(name, { ...row, at: now, usedAt: isDue ? now : before.usedAt })
      // When it was used last is a help for people: a call does not wait for it, nor fail with it.
      if (isDue) use(row, ip).catch((error: unknown) => log.error({ err: error }, 'the last use of an API key was not stored'))
      return row
    },
    forget({ userId, companyId }) {
      for (const [name, row] of known.entries())
        if (userId === undefined ? row.companyId === companyId : row.userId === userId) known.delete(name)
    },
  }
}
