import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { lookAgain, type Doubtful } from '../../scripts/test/steps.ts'

const root = resolve(import.meta.dirname, '../..')
const failing = (name: string, { alone, failed = 1 }: { alone: number; failed?: number }): Doubtful => ({
  file: resolve(root, name),
  failed,
  runAlone: async () => ({ passed: 3, failed: alone }),
})

it('counts as passed what passes alone, and names it', async () => {
  const score = { passed: 10, failed: 2, doubtful: [failing('tests/a.test.ts', { alone: 0, failed: 2 })] }
  expect(await lookAgain(score)).toEqual({ passed: 12, failed: 0, unsteady: ['tests/a.test.ts'] })
})

it('leaves as failed what fails alone too', async () => {
  const doubtful = [failing('tests/a.test.ts', { alone: 1 }), failing('tests/b.test.ts', { alone: 0 })]
  expect(await lookAgain({ passed: 10, failed: 2, doubtful })).toEqual({ passed: 11, failed: 1, unsteady: ['tests/b.test.ts'] })
})

it('does not run again what failed in many places, or as a whole', async () => {
  const never: Doubtful = { file: 'x', failed: 1, runAlone: () => Promise.reject(new Error('was run')) }
  expect(await lookAgain({ passed: 10, failed: 4, doubtful: [never, never, never, never] })).toMatchObject({ passed: 10, failed: 4 })
  expect(await lookAgain({ passed: 10, failed: 2, doubtful: [never] })).toMatchObject({ passed: 10, failed: 2 })
  expect(await lookAgain({ passed: 10, failed: 0 })).toMatchObject({ passed: 10, failed: 0 })
})
