import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plantedSource, plants } from '../../scripts/test/plants.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(resolve(root, file), 'utf8')
const numbers = Array.from({ length: 20 }, (_, n) => n + 1)

/** Test files by the numbers of faults that their titles say: "(sync fault 8)", "(sync faults 3 and 4)". */
function filesByFault(): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const file of globSync(['tests/**/*.test.ts', 'apps/**/*.test.ts'], {
    cwd: root,
    exclude: ['**/node_modules/**', 'tests/architecture/**'],
  }))
    for (const [, named = ''] of read(file).matchAll(/\(sync faults? ([\d and]+)/g))
      for (const number of named.match(/\d+/g) ?? []) found.set(Number(number), [...(found.get(Number(number)) ?? []), file])
  return found
}

/** The table: the files that it names for each number. */
const table = new Map(
  read('tests/faults/README.md')
    .split('\n')
    .flatMap((line): [number, string[]][] => {
      const cells = line.split('|').map((cell) => cell.trim())
      return /^\d+$/.test(cells[1] ?? '') ? [[Number(cells[1]), cells[3]?.split(', ') ?? []]] : []
    }),
)

describe('the fault matrix of the sync', () => {
  it('has a test for each number, and the table names them all', () => {
    const tested = filesByFault()
    expect([...table.keys()]).toEqual(numbers)
    for (const number of numbers)
      expect(table.get(number)?.toSorted(), `fault ${number}`).toEqual([...new Set(tested.get(number))].toSorted())
  })

  it('can plant each mistake that its tests must find: the sources still hold the places', () => {
    for (const plant of plants) {
      const source = read(plant.file)
      expect(plantedSource(source, plant), plant.mistake).not.toBe(source)
      expect(read(plant.tests), plant.title).toContain(plant.title)
    }
  })
})
