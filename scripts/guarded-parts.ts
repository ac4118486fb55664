import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { declaredAreas } from './areas.ts'

const file = join(resolve(import.meta.dirname, '..'), 'apps/console/src/shell/guarded.generated.ts')

/** Writes the first parts of the addresses of all screens: the console knows without a server whom it has to ask to sign in. */
export async function writeGuardedParts(): Promise<void> {
  const paths = (await declaredAreas()).flatMap(({ screens }) => screens.map(({ path }) => path))
  const parts = [...new Set(paths.map((path) => (path.split('/')[1] ?? '').toLowerCase()))].toSorted()
  const lines = parts.map((part) => `  '${part}',\n`).join('')
  await writeFile(
    file,
    `/** Made by \`npm run generate\` from the screens of the areas; not to be edited. */\nexport const guardedParts: readonly string[] = [\n${lines}]\n`,
  )
}
