import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { keptKinds } from '../apps/server/src/kernel/sync/kept-kinds.ts'
import { declaredAreas } from './areas.ts'

const file = join(resolve(import.meta.dirname, '..'), 'apps/console/src/offline/kinds.generated.ts')

/** Writes what devices know of the kinds they keep, from the resources that say `offline`. It lies in git: a device starts without a server. */
export async function writeKeptKinds(): Promise<void> {
  const kinds = JSON.stringify(keptKinds(await declaredAreas()), null, 2)
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "\\'")
    .replace(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
  await writeFile(
    file,
    `import type { KeptKind } from '@outpost/contract/sync/kept-kinds'\n\n/** Made by \`npm run generate\` from the resources that say \`offline\`; not to be edited. */\nexport const generatedKinds: readonly KeptKind[] = ${kinds}\n`,
  )
}
