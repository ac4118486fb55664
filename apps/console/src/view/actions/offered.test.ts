import { expect, it } from 'vitest'
import type { ActionView } from '@outpost/contract/views'
import { offered } from './offered.ts'

it('offers what makes sense for the row as it is', () => {
  const action = (key: string, visibleIf?: ActionView['visibleIf']): ActionView => ({
    key,
    label: key,
    scope: 'row',
    call: { method: 'POST', path: '/x' },
    ...(visibleIf ? { visibleIf } : {}),
  })
  const actions = [
    action('always'),
    action('granted', { eq: ['consentStatus', 'GRANTED'] }),
    action('other', { not: { eq: ['consentStatus', 'GRANTED'] } }),
  ]
  const keys = (row: Record<string, unknown>) => offered(actions, row).map(({ key }) => key)
  expect([keys({ consentStatus: 'GRANTED' }), keys({})]).toEqual([
    ['always', 'granted'],
    ['always', 'other'],
  ])
})
