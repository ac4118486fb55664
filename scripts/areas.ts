import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { withOwnCalls } from '../apps/server/src/app.ts'
import { createAreas } from '../apps/server/src/areas/index.ts'
import { readServerEnv } from '../apps/server/src/env.ts'
import type { Area } from '../apps/server/src/kernel/types.ts'
import { createMachine } from '../apps/server/src/machine.ts'

/** The areas as the server mounts them, for inspection: their services never send a statement. */
export async function declaredAreas(): Promise<Area[]> {
  const env = await readServerEnv({
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    SECRET: 'only for reading declarations 0123456789',
    LOG_LEVEL: 'silent',
  })
  const machine = await createMachine(env, { isRelayShared: false })
  try {
    return withOwnCalls(createAreas(machine), env)
  } finally {
    await machine.close()
  }
}

/** Rows of a table under tests/contract, by the names in its first line that is not a comment. */
export async function readContract<Column extends string>(name: string): Promise<Record<Column, string>[]> {
  const text = await readFile(join(resolve(import.meta.dirname, '..'), 'tests/contract', name), 'utf8')
  const [head = '', ...rows] = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const columns = head.split('\t')
  return rows.map((row) => {
    const cells = row.split('\t')
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])) as Record<Column, string>
  })
}

/** Prints one line per entry, the missing ones last in each area, and the count. */
export function printCoverage(entries: readonly { area: string; text: string; isThere: boolean }[], { onlyMissing = false } = {}): void {
  for (const [area, group] of Map.groupBy(entries, (entry) => entry.area)) {
    const there = group.filter((entry) => entry.isThere)
    console.log(`${area}  ${there.length}/${group.length}`)
    for (const { text } of onlyMissing ? [] : there) console.log(`  yes  ${text}`)
    for (const { text } of group.filter((entry) => !entry.isThere)) console.log(`   -   ${text}`)
  }
  console.log(`${entries.filter((entry) => entry.isThere).length} of ${entries.length}`)
}
