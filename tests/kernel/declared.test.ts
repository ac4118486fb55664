import { expect, test } from 'vitest'
import { defineError } from '@outpost/contract/errors'
import { z } from 'zod'
import { defineArea } from '../../apps/server/src/kernel/area.ts'
import { declared, wrongDeclarations } from '../../apps/server/src/kernel/declared.ts'
import { defineReport } from '../../apps/server/src/kernel/reports/definition.ts'

const report = (name: string) =>
  defineReport({
    name,
    title: name,
    description: '',
    anyOf: [],
    input: z.unknown(),
    fields: [],
    plan: () => {
      throw new Error('planned')
    },
  })
const areas = (...names: string[]) => names.map((name, index) => defineArea({ name: `area${index + 1}`, reports: [report(name)] }))

test('what areas declare is found by its name, and a name said twice stops the start with both areas', () => {
  expect([...declared(areas('sales', 'logins'), 'report', (area) => area.reports).keys()]).toEqual(['sales', 'logins'])
  expect(() => declared(areas('sales', 'sales'), 'report', (area) => area.reports)).toThrow(
    'The report sales is declared twice: by area1 and by area2.',
  )
})

test('an error is one area’s, and none of the kernel’s', () => {
  const errors = [defineError('STALL_SHUT', { status: 409, message: 'The stall is shut.' })]
  expect(wrongDeclarations([defineArea({ name: 'stalls', errors })])).toEqual([])
  expect(
    wrongDeclarations([
      defineArea({ name: 'stalls', errors }),
      defineArea({ name: 'markets', errors: [...errors, defineError('CONFLICT', { status: 409, message: '' })] }),
    ]),
  ).toEqual([
    'The error STALL_SHUT is declared twice: by stalls and by markets.',
    'The error CONFLICT is declared twice: by the kernel and by markets.',
  ])
})
