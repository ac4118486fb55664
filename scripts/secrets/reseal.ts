import { createHash, createHmac } from 'node:crypto'
import { deriveKeys, type MasterSecrets } from '@outpost/platform/keys'
import { sealText, unsealText } from '@outpost/platform/seal'
import type pg from 'pg'
import { pepperId } from '../../apps/server/src/kernel/session/passwords.ts'

/** A column that holds sealed text: bytes, or their base 64. What a row is sealed for (`boundTo`) is an expression of its columns. */
interface SealedColumn {
  table: string
  /** Beside companyId, the key of a row. */
  id: string
  column: string
  isText: boolean
  /** Purpose of the key that is derived from the master secret. */
  purpose: string
  boundTo: string
}

/** Every column that is sealed by the master secret; tests/platform/reseal.test.ts looks for others. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'second_factor',
    id: 'userId',
    column: 'sealedSecret',
    isText: false,
    purpose: 'second-factor',
    boundTo: `t."companyId" || ' ' || t."userId"`,
  },
  {
    table: 'provider_connection',
    id: 'id',
    column: 'sealedSecret',
    isText: false,
    purpose: 'provider secrets',
    boundTo: `t."companyId" || ' ' || t."provider"`,
  },
  {
    table: 'provider_connection',
    id: 'id',
    column: 'sealedFormer',
    isText: false,
    purpose: 'provider secrets',
    boundTo: `t."companyId" || ' ' || t."provider"`,
  },
  { table: 'saml_provider', id: 'id', column: 'ownKey', isText: true, purpose: 'saml keys', boundTo: `t."key"` },
  { table: 'webhook', id: 'id', column: 'secret', isText: true, purpose: 'webhooks', boundTo: `t."id"::text` },
  { table: 'webhook', id: 'id', column: 'formerSecret', isText: true, purpose: 'webhooks', boundTo: `t."id"::text` },
  { table: 'geo.feed', id: 'id', column: 'sealedToken', isText: false, purpose: 'feed tokens', boundTo: `t."companyId" || ' ' || t."id"` },
]

export interface Resealed {
  column: string
  /** Sealed by the present secret from the beginning. */
  were: number
  resealed: number
  /** What neither the present secret nor a former one opens. */
  lost: number
}

const batchSize = 200

/**
 * Seals everything anew that a former master secret has sealed. Each batch is one statement, and a row that changed meanwhile is left alone: a kill at any moment
 * leaves rows that are sealed by one or the other, and both are read; running it again goes on. Needs a login that row-level security does not hold.
 */
export async function resealAll(
  client: pg.ClientBase,
  secrets: MasterSecrets,
  told: (line: string) => void = () => undefined,
): Promise<Resealed[]> {
  const found: Resealed[] = []
  for (const column of sealedColumns) found.push(await resealColumn(client, column, secrets, told))
  return found
}

interface Place {
  companyId: string
  id: string
}
interface Row extends Place {
  sealed: string
  bound: string
}
type Fresh = Place & { old: string; sealed: string }

async function resealColumn(
  client: pg.ClientBase,
  column: SealedColumn,
  secrets: MasterSecrets,
  told: (line: string) => void,
): Promise<Resealed> {
  const { table, column: name } = column
  const [current, ...former] = deriveKeys(secrets, column.purpose)
  const result: Resealed = { column: `${table}.${name}`, were: 0, resealed: 0, lost: 0 }
  for (let after: Place = first; ;) {
    const rows = await readBatch(client, column, after)
    if (rows.length === 0) return result
    after = rows.at(-1) ?? after
    const anew: Fresh[] = []
    for (const { companyId, id, sealed, bound } of rows) {
      const bytes = Buffer.from(sealed, 'base64')
      if (opened(current, bytes, bound) !== undefined) {
        result.were += 1
        continue
      }
      const text = former.map((one) => opened(one, bytes, bound)).find((one) => one !== undefined)
      if (text === undefined) result.lost += 1
      else anew.push({ companyId, id, old: sealed, sealed: sealText(current, text, bound).toString('base64') })
    }
    result.resealed += await writeBatch(client, column, anew)
    told(`${table}.${name}: ${result.were + result.resealed} sealed by the present secret`)
  }
}

const first: Place = { companyId: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' }
const asBase64 = ({ column, isText }: SealedColumn) =>
  isText ? `replace(t."${column}", E'\\n', '')` : `replace(encode(t."${column}", 'base64'), E'\\n', '')`

async function readBatch(client: pg.ClientBase, column: SealedColumn, after: Place): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select t."companyId", t."${column.id}" as id, ${asBase64(column)} as sealed, ${column.boundTo} as bound from ${column.table} t
     where t."${column.column}" is not null and (t."companyId", t."${column.id}") > ($1::uuid, $2::uuid)
     order by t."companyId", t."${column.id}" limit ${batchSize}`,
    [after.companyId, after.id],
  )
  return rows
}

async function writeBatch(client: pg.ClientBase, column: SealedColumn, rows: readonly Fresh[]): Promise<number> {
  if (rows.length === 0) return 0
  const value = column.isText ? 'given.sealed' : `decode(given.sealed, 'base64')`
  const { rowCount } = await client.query(
    `update ${column.table} t set "${column.column}" = ${value}
     from jsonb_to_recordset($1::jsonb) as given("companyId" uuid, "id" uuid, "old" text, "sealed" text)
     where t."companyId" = given."companyId" and t."${column.id}" = given."id" and ${asBase64(column)} = given."old"`,
    [JSON.stringify(rows)],
  )
  return rowCount ?? 0
}

function opened(key: Buffer, sealed: Buffer, bound: string): string | undefined {
  try {
    return unsealText(key, sealed, bound)
  } catch {
    return undefined
  }
}

/** What only time re-seals, because nobody knows the plain text: how much of each may still need a former secret. */
export async function stillFormer(client: pg.ClientBase, secrets: MasterSecrets): Promise<Record<string, number>> {
  const mark = `%,keyid=${pepperId(deriveKeys(secrets, 'password-pepper')[0])}$%`
  const count = async (text: string, values: unknown[] = []) =>
    Number((await client.query<{ n: string }>(`select count(*) as n from ${text}`, values)).rows[0]?.n)
  return {
    'passwords, until their owners sign in': await count('credential where "passwordHash" not like $1', [mark]),
    'PINs of phones, until they are set anew': await count('client where "ussdPinHash" is not null and "ussdPinHash" not like $1', [mark]),
    'recovery codes at most, until used or made anew': await count('recovery_code where "usedAt" is null'),
    'addresses of calendars, which go on answering but cannot be shown without it': await foreignCalendars(client, secrets),
  }
}

async function foreignCalendars(client: pg.ClientBase, secrets: MasterSecrets): Promise<number> {
  const [key] = deriveKeys(secrets, 'calendar-feed')
  const { rows } = await client.query<{ nonce: Buffer; tokenHash: Buffer }>('select "nonce", "tokenHash" from calendar_feed')
  const hashOf = (nonce: Buffer) => createHash('sha256').update(createHmac('sha256', key).update(nonce).digest('base64url')).digest()
  return rows.filter(({ nonce, tokenHash }) => !hashOf(nonce).equals(tokenHash)).length
}
