import { sql } from '@outpost/platform/db/sql'
import { expect, it } from 'vitest'
import { declaredAreas } from '../../../scripts/areas.ts'
import { fieldSql } from '../../../apps/server/src/kernel/resource/read/columns.ts'

const window = { companyId: 'c', from: new Date(0), to: sql`now()`, timeZone: 'UTC' }
/** The last two columns of events: the records' name, and their id. */
const entityIn = /'(\w+)'(?: as entity)?, (?:\(array_agg\()?\w+\."(?:\w+Id|id)"/

it('every area says what the records behind its metrics are called and where they open', async () => {
  const areas = await declaredAreas()
  const metrics = areas.flatMap((area) => area.metrics.map((metric) => ({ area, metric })))
  expect(metrics.length).toBeGreaterThan(20)
  const nameless = metrics.filter(({ area, metric }) => {
    const entity = entityIn.exec(metric.events(window).text)?.[1]
    return !area.counted.some(({ resource }) => resource.one === entity)
  })
  expect(nameless.map(({ metric }) => metric.name)).toEqual([])
})

it('their names are fields, and their screens are there', async () => {
  const areas = await declaredAreas()
  const counted = areas.flatMap((area) => area.counted)
  const paths = new Set(areas.flatMap(({ screens }) => screens.map(({ path }) => path)))
  expect(counted.flatMap(({ screens = [] }) => screens).filter((path) => !paths.has(path.replace(/\?.*/, '')))).toEqual([])
  for (const { resource, name = [] } of counted)
    for (const key of name) expect(fieldSql(resource, key).text, `${resource.one}.${key}`).toMatch(/number|title|subject/i)
  const entities = counted.map(({ resource }) => resource.one)
  expect(entities.filter((entity, index) => entities.indexOf(entity) !== index)).toEqual([])
})
