import type { Fix } from '../../positions/fix.ts'
import type { Identities, KnownDevice } from '../identity.ts'
import type { Writer, Written } from './writer.ts'

/**
 * Writes fixes for the current owner of the device: the one found by the lookup, or the company that registered its identity since.
 * Without an owner nothing is written.
 */
export async function writeForOwner(
  { identities, writer }: { identities: Identities; writer: Writer },
  device: KnownDevice,
  fixes: readonly Fix[],
): Promise<{ written: Written; owner: KnownDevice | null }> {
  for (let owner = device; ;) {
    const written = await writer.write(owner, fixes)
    if (written !== 'outdated') return { written, owner }
    identities.forget([owner.uniqueId])
    const now = await identities.find(owner.uniqueId).catch(() => null)
    if (!now) return { written, owner: null }
    owner = now
  }
}
