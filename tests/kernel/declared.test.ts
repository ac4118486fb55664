import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineArea } from '../../apps/server/src/kernel/area.ts'
import { declared } from '../../apps/server/src/kernel/declared.ts'
import { defineReport } from '../../apps/server/src/kernel/reports/definition.ts'

const report = (name: string) => defineReport({ name, title: name, description: '', anyOf: [], input: z.unknown(), fields: [], plan: () => { throw new Error('planned') } })
const areas = (...names: string[]) => names.map((name, index) => defineArea({ name: `area${index + 1}`, reports: [report(name)] }))

test('what areas declare is found by its name, and a name said twice stops the start with both areas', () => {
  expect([...declared(areas('sales', 'logins'), 'report', (area) => area.reports).keys()]).toEqual(['sales', 'logins'])
  expect(() => declared(areas('sales', 'sales'), 'report', (area) => area.reports)).toThrow('The report sales is declared twice: by area1 and by area2.')
})
