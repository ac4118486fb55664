import type { GeoPools } from '@outpost/platform/db/pool'
import type { Parameters } from './catalogue.ts'
import { meaningOf, type Meaning } from './meaning.ts'

/** A device's answer. `correlation` is the part of the command that the protocol repeats. */
export interface DeviceAnswer {
  companyId: string
  deviceId: string
  protocol: string
  text: string
  correlation: string | undefined
}

interface Sent {
  id: string
  type: string
  parameters: Parameters
  isOpen: boolean
}
interface Verdict {
  command: Sent
  meaning: Meaning
}

const maxText = 4_000
/** GT06 repeats the 32-bit number of the command; H02 repeats the second of the day at which it was sent. */
const correlationSql = (protocol: string) =>
  protocol === 'h02' ? `trunc(extract(epoch from "sentAt"))::bigint % 86400` : `"correlation" & 4294967295`

/**
 * Records an answer at the command it names. Where the protocol names none, it belongs to the only open command, or to the one among
 * several that it certainly means. An answer that matches none changes nothing.
 */
export async function recordAnswer(pool: GeoPools['ingest'], answered: DeviceAnswer): Promise<void> {
  const { companyId, deviceId, protocol, correlation, text } = answered
  const isNamed = correlation !== undefined
  if (isNamed && !/^\d{1,15}$/.test(correlation)) return
  // A device may still do what it refused before, so a later "done" replaces the refusal.
  const which = isNamed
    ? `"sentAt" > now() - interval '1 day' and "state" in ('sent', 'acked', 'failed', 'expired') and ${correlationSql(protocol)} = $3`
    : `"state" in ('sent', 'acked') and $3::bigint is null`
  const { rows } = await pool.query<Sent>(
    `select "id", "type", "parameters", "state" in ('sent', 'acked') as "isOpen" from geo.command where "companyId" = $1 and "deviceId" = $2 and ${which} order by "isOpen" desc, "id"`,
    [companyId, deviceId, isNamed ? Number(correlation) : null],
  )
  const verdict = verdictOf(
    rows.map((command) => ({ command, meaning: meaningOf({ ...command, text, isNamed }) })),
    isNamed,
  )
  if (!verdict) return
  const { command, meaning } = verdict
  const kept = text.replaceAll('\0', '').slice(0, maxText)
  await pool.query(
    `update geo.command set "state" = $3, "answer" = $4, "reason" = $5, "endedAt" = now() where "companyId" = $1 and "id" = $2 and "state" in ('sent', 'acked', 'failed', 'expired')`,
    [
      companyId,
      command.id,
      meaning === 'failed' ? 'failed' : 'done',
      kept,
      meaning === 'failed' ? `The device answered: ${kept.slice(0, 300)}` : null,
    ],
  )
}

function verdictOf(verdicts: readonly Verdict[], isNamed: boolean): Verdict | undefined {
  const certain = verdicts.find(({ meaning }) => meaning === 'done')
  const open = verdicts.filter(({ command }) => command.isOpen)
  if (isNamed) return certain ?? open[0]
  return certain ?? (open.length === 1 ? open[0] : undefined)
}
