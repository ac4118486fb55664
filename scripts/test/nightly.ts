import { glob, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
/** A source line that depends on the size of the run. */
const choosing = /^.*(?:isNightly\s+\?|=== 'nightly'\s+\?|(?:if|skipIf|runIf) ?\(!?isNightly\)|= byTurns\().*$/gm

/** The parts that are longer in the nightly run, as lines for the terminal; read from the tests, so that they are true. */
export async function longFormLines(): Promise<string[]> {
  const lines: string[] = []
  for await (const file of glob('tests/**/*.test.ts', { cwd: root })) {
    const chosen = (await readFile(resolve(root, file), 'utf8')).match(choosing) ?? []
    lines.push(...chosen.filter((line) => !line.startsWith('}')).map((line) => `  ${file}: ${line.trim().replace(/\s+/g, ' ')}`))
  }
  return ['Nightly: everything, and the long form (the first of two sizes) of', ...lines.sort()]
}
