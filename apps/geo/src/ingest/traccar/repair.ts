import { chunk } from 'es-toolkit/array/chunk'
import { deliver, type Delivery, type Sender } from '../deliver.ts'
import type { TraccarDevice } from './records.ts'
import type { TraccarClient } from './rest.ts'

export interface Repair {
  client: TraccarClient
  delivery: Delivery
  /** The feed to repair, by its token, as if Traccar had forwarded. */
  sender: Sender
  /** Called after each committed window: until when (epoch milliseconds) the device's history is complete. */
  keepCursor: (uniqueId: string, until: number) => Promise<void>
  onDevice?: (result: Repaired) => Promise<void>
  /** Ends the repair after the current device. */
  signal?: AbortSignal
}

export interface Repaired {
  uniqueId: string
  outcome: 'whole' | 'unknownDevice' | 'badToken' | 'failed'
  /** Until when the history is complete. */
  until: number
  /** Positions Traccar has for that time; most were forwarded before and change nothing. */
  seen: number
  /** Refused with 101, or unreadable. */
  refused: number
  message?: string
}

/**
 * Fills what forwarding lost (Traccar gives up after 102 s and drops positions beyond 100 waiting): reads each device's history from
 * `since` to `to` and stores it again, which changes nothing where it exists. `since` should lie some time before the cursor, because
 * devices upload their buffer late. A silent device costs no call; a failing one does not delay the others.
 */
export async function repairGaps(
  repair: Repair,
  devices: readonly { device: TraccarDevice; since: number }[],
  to: number,
): Promise<Repaired[]> {
  const results: Repaired[] = []
  for (const { device, since } of devices) {
    if (repair.signal?.aborted) break
    const isSilent = device.lastUpdate === null || device.lastUpdate < since
    const result: Repaired = isSilent
      ? { uniqueId: device.uniqueId, outcome: 'whole', until: since, seen: 0, refused: 0 }
      : await repairDevice(repair, device, { from: since, to })
    results.push(result)
    await repair.onDevice?.(result)
  }
  return results
}

async function repairDevice(
  { client, delivery, sender, keepCursor }: Repair,
  device: TraccarDevice,
  { from, to }: { from: number; to: number },
): Promise<Repaired> {
  const result: Repaired = { uniqueId: device.uniqueId, outcome: 'whole', until: from, seen: 0, refused: 0 }
  try {
    for await (const window of client.route(device.traccarId, from, to)) {
      for (const fixes of chunk(window.fixes, pieceSize)) {
        const { outcome, refused } = await deliver({ uniqueId: device.uniqueId, fixes, device: device.words }, sender, delivery)
        if (outcome !== 'stored') return { ...result, outcome }
        result.refused += refused.length
      }
      result.seen += window.fixes.length + window.unreadable
      result.refused += window.unreadable
      result.until = window.to
      await keepCursor(device.uniqueId, window.to)
    }
    return result
  } catch (error) {
    return { ...result, outcome: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

/** Maximum fixes of one store call. */
const pieceSize = 1_000
