import type { GeoPools } from '@outpost/platform/db/pool'
import type { Parameters } from './catalogue.ts'
import { meaningOf, type Meaning } from './meaning.ts'

/** What a device said; `correlation` is what the protocol repeats of the command. */
export interface Answered { companyId: string, deviceId: string, protocol: string, text: string, correlation: string | undefined }

interface Sent { id: string, type: string, parameters: Parameters, isOpen: boolean }
interface Verdict { command: Sent, meaning: Meaning }

const longestText = 4_000
/** A GT06 repeats the command's number in 32 bits, an H02 the second of the day it was sent in. */
const namedBy = (protocol: string) => (protocol === 'h02' ? `trunc(extract(epoch from "sentAt"))::bigint % 86400` : `"correlation" & 4294967295`)

/**
 * Gives an answer to the command it names, and where the protocol names none to the one that is open, or to the one of
 * several that it certainly means. An answer that fits none changes nothing: it is never another command's.
 */
export async function takeAnswer(pool: GeoPools['ingest'], answered: Answered): Promise<void> {
  const { companyId, deviceId, protocol, correlation, text } = answered
  const isNamed = correlation !== undefined
  if (isNamed && !/^\d{1,15}$/.test(correlation)) return
  // What a device has once refused it may do after all, and what it did is told whenever it says so.
  const which = isNamed ? `"sentAt" > now() - interval '1 day' and "state" in ('sent', 'acked', 'failed', 'expired') and ${namedBy(protocol)} = $3` : `"state" in ('sent', 'acked') and $3::bigint is null`
  const { rows } = await pool.query<Sent>(`select "id", "type", "parameters", "state" in ('sent', 'acked') as "isOpen" from geo.command where "companyId" = $1 and "deviceId" = $2 and ${which} order by "isOpen" desc, "id"`,
    [companyId, deviceId, isNamed ? Number(correlation) : null])
  const verdict = verdictOf(rows.map((command) => ({ command, meaning: meaningOf({ ...command, text, isNamed }) })), isNamed)
  if (!verdict) return
  const { command, meaning } = verdict
  const kept = text.replaceAll('\0', '').slice(0, longestText)
  await pool.query(`update geo.command set "state" = $3, "answer" = $4, "reason" = $5, "endedAt" = now() where "companyId" = $1 and "id" = $2 and "state" in ('sent', 'acked', 'failed', 'expired')`,
    [companyId, command.id, meaning === 'failed' ? 'failed' : 'done', kept, meaning === 'failed' ? `The device answered: ${kept.slice(0, 300)}` : null])
}

function verdictOf(verdicts: readonly Verdict[], isNamed: boolean): Verdict | undefined {
  const certain = verdicts.find(({ meaning }) => meaning === 'done')
  const open = verdicts.filter(({ command }) => command.isOpen)
  if (isNamed) return certain ?? open[0]
  return certain ?? (open.length === 1 ? open[0] : undefined)
}
