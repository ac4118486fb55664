import { timingSafeEqual } from 'node:crypto'
import { sql } from '@outpost/platform/db/sql'
import { later } from '../../kernel/session/clock.ts'
import type { OneTimeRow } from '../../kernel/session/tokens/one-time.ts'
import { hashSecret } from '../../kernel/session/tokens/opaque.ts'
import type { SessionServices } from '../../kernel/session/services.ts'
import { isLive } from './factor/codes.ts'

interface ClientRow {
  companyId: string
  id: string
  clientType: string
  secretHash: Buffer | null
  formerSecretHash: Buffer | null
}

/**
 * The program that a code was given to, when it is who calls: it still may, and one that can keep a secret shows it. The
 * former secret counts until it ends.
 */
export async function findProvenClient(
  { store, clock }: SessionServices,
  { data }: OneTimeRow,
  { clientId, clientSecret }: { clientId?: string | undefined; clientSecret?: string | undefined },
): Promise<ClientRow | undefined> {
  if (clientId !== undefined && clientId !== data['clientId']) return undefined
  const client = await store.sql.maybe<ClientRow>(sql`
    select "companyId", "id", "clientType", "secretHash", case when "formerUntil" > ${later(clock)} then "formerSecretHash" end as "formerSecretHash"
    from oauth_client where "clientId" = ${String(data['clientId'])} and ${isLive}`)
  if (!client) return undefined
  if (client.clientType === 'public') return client
  const given = hashSecret(clientSecret ?? '')
  return [client.secretHash, client.formerSecretHash].some((hash) => hash !== null && timingSafeEqual(hash, given)) ? client : undefined
}

/** Notes when a program signed somebody in last. */
export async function recordUse({ store, clock }: SessionServices, { companyId, id }: ClientRow): Promise<void> {
  await store.write(null, (db) =>
    db.exec(sql`
      update oauth_client set "lastUsedAt" = ${later(clock)} where "companyId" = ${companyId}::uuid and "id" = ${id}::uuid`),
  )
}
