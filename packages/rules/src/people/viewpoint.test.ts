import { expect, it } from 'vitest'
import { viewpointOf } from './viewpoint.ts'

it('is that of the role which looks furthest', () => {
  const viewpoints = [
    ['Managing Director'],
    ['Administrator'],
    [' branch manager '],
    ['Loan Officer'],
    ['Teller'],
    ['Team Leader'],
    ['Team Leader', 'Administrator'],
    [],
  ].map((names) => viewpointOf(names))
  expect(viewpoints).toEqual(['director', 'admin', 'branch', 'own', 'own', 'team', 'admin', 'own'])
})
