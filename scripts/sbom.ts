import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { inShippedFolder } from './image/shipped.ts'

/** The formats that npm writes: CycloneDX 1.5 and SPDX 2.3, as JSON. */
export const sbomFormats = ['cyclonedx', 'spdx'] as const
export type SbomFormat = (typeof sbomFormats)[number]

/**
 * What the image is made of: the packages its programs run on and those built into the console's files, by name, version, licence and checksum. `npm sbom`,
 * a part of npm, writes the document from the lock file of these packages alone and asks no registry.
 */
export const sbomOf = (format: SbomFormat): Promise<unknown> =>
  inShippedFolder(async (folder) => {
    const args = ['sbom', '--package-lock-only', '--sbom-format', format, '--sbom-type', 'application']
    const { stdout } = await promisify(execFile)('npm', args, { cwd: folder, maxBuffer: 100_000_000 })
    return JSON.parse(stdout) as unknown
  })

/** Writes `outpost.cyclonedx.json` and `outpost.spdx.json` into a folder; gives their paths. */
export async function writeSboms(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  return Promise.all(
    sbomFormats.map(async (format) => {
      const file = join(folder, `outpost.${format}.json`)
      await writeFile(file, `${JSON.stringify(await sbomOf(format), null, 2)}\n`)
      return file
    }),
  )
}

if (import.meta.main) for (const file of await writeSboms(resolve(process.argv[2] ?? 'sbom'))) console.log(file)
