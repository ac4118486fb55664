import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { describe, expect, it } from 'vitest'
import { areaFiles } from '../../scripts/new-area.ts'
import { readNames } from '../../scripts/new-area/names.ts'
import { places } from '../../scripts/new-area/places.ts'

const migration = '20990101000000_field_visit'
const namesOf = (kind: string) =>
  readNames(['field-visits', 'fieldVisit', 'SALES/CASES', '--kind', kind, ...(kind === 'remote' ? ['--calls', 'drivers'] : [])])

describe.each(['plain', 'public', 'approval', 'board', 'remote'])('a new area of kind %s', (kind) => {
  const words = namesOf(kind)
  const files = areaFiles(words, migration)

  it('is made of files that can be read, each call and screen on a line of its own', () => {
    for (const [path, text] of Object.entries(files)) {
      if (path.endsWith('.ts')) expect(() => stripTypeScriptTypes(text), path).not.toThrow()
      expect(text, path).not.toMatch(/'undefined|\[object/)
    }
    const area = files['apps/server/src/areas/field-visits/field-visits.area.ts'] ?? ''
    expect(area.match(/^ {4}screen\('\/field-visits/gm)).toHaveLength(4)
    expect(files['tests/api/field-visits.test.ts']).toContain('has a rule of its own')
  })

  it('is named where the others are, and nowhere twice', async () => {
    for (const [path, change] of Object.entries(places)) {
      const text = await readFile(path, 'utf8')
      const changed = change(text, words)
      expect(changed.length >= text.length, path).toBe(true)
      if (path.endsWith('index.ts')) expect(changed.match(/ {4}fieldVisitsArea/g)).toHaveLength(1)
    }
  })
})

it('of the geo service begins with the fields that the contract has, and with the names it answers by', () => {
  const resource = areaFiles(namesOf('remote'), migration)['apps/server/src/areas/field-visits/fieldVisit.resource.ts']
  expect(resource).toContain("answers: { one: 'driver', many: 'drivers' }")
  expect(resource).toContain("uniqueId: { kind: 'text', label: 'Unique id'")
  expect(resource).toContain("licenceExpires: { kind: 'date', label: 'Licence expires' }")
  expect(resource).toContain("form: [['name'], ['tenantId'], ['uniqueId'], ['userId'], ['phone'], ['licence'], ['licenceExpires']]")
})

it('is refused for calls that the geo service does not have', () => {
  const words = readNames(['field-visits', 'fieldVisit', '--kind', 'remote'])
  expect(() => areaFiles(words, migration)).toThrow('The geo service has no call fieldVisits.get')
})
