import { expect, it } from 'vitest'
import { toTenantOptions } from './option-label.ts'

it('shows the short code of another tenant only, sorted by label', () => {
  const options = toTenantOptions(
    [
      { Id: '1', name: 'Visit', tenantId: 'mine' },
      { Id: '2', name: 'Call', tenantId: 'parent' },
    ],
    'mine',
    new Map([
      ['mine', 'WST'],
      ['parent', 'SUN'],
    ]),
  )
  expect(options.map(({ value, label, text }) => [value, label, text])).toEqual([
    ['2', 'Call (SUN)', 'Call (SUN)'],
    ['1', 'Visit', 'Visit'],
  ])
})
