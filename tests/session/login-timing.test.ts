import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { testApp, type TestApp } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { isNightly } from '../support/size.ts'

const wrong = 'certainly not the password'

let app: TestApp
let companies: MadeTenant[]
beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine)] })
  companies = [await app.make.company(), await app.make.company(), await app.make.company()]
})
afterAll(() => app.close())

let count = 0
/** An address that so many companies know. */
async function address(known: number): Promise<string> {
  const emailAddress = `person.${(count += 1)}@outpost.test`
  for (const company of companies.slice(0, known)) await app.make.user({ company, role: 'md', emailAddress })
  return emailAddress
}

async function refusedIn(email: string): Promise<number> {
  const started = performance.now()
  const { body } = await app.nobody.post('/api/auth/login', { email, password: wrong })
  expect(body.code).toBe('INVALID_CREDENTIALS')
  return performance.now() - started
}

describe('a refusal does not reveal whether there is such a user', () => {
  it('by its work: as many hashes, as many transactions', async () => {
    const { passwords, store } = app.services
    const [hashes, writes] = [vi.spyOn(passwords, 'verify'), vi.spyOn(store, 'write')]
    const work = async (known: number) => {
      const email = await address(known)
      hashes.mockClear()
      writes.mockClear()
      await refusedIn(email)
      return [hashes.mock.calls.length, writes.mock.calls.length]
    }
    expect(await work(1)).toEqual(await work(0))
    vi.restoreAllMocks()
  })

  it('by its length: an address of several companies, with as many hashes, answers no sooner and waits for nothing shorter', async () => {
    for (const known of [0, 1, 3]) expect(await refusedIn(await address(known))).toBeGreaterThanOrEqual(148)
  })

  it('and still counts: the report shows it, the account waits after five', async () => {
    const email = await address(2)
    for (let turn = 0; turn < 5; turn += 1) {
      await refusedIn(email)
      app.clock.move(61)
    }
    const { rows } = await app.database.admin.query(
      'select c."failedCount", (select count(*)::int from login_event e where e."userId" = u.id and e.kind = \'refused\') as lines from app_user u join credential c on c."userId" = u.id where u."emailAddress" = $1',
      [email],
    )
    expect(rows).toEqual([
      { failedCount: 5, lines: 5 },
      { failedCount: 5, lines: 5 },
    ])
  })

  it.runIf(isNightly)(
    'by the clock: 200 of each, Mann-Whitney p > 0.05',
    async () => {
      const ps: number[] = []
      // By chance alone one run in twenty looks different; three in a row do not.
      for (let turn = 0; turn < 3 && !ps.some((p) => p > 0.05); turn += 1) {
        const times: [number[], number[]] = [[], []]
        for (let pair = 0; pair < 200; pair += 1)
          for (const known of pair % 2 ? [0, 1] : [1, 0]) times[known as 0 | 1].push(await refusedIn(await address(known)))
        ps.push(mannWhitney(...times))
      }
      console.log(`login timing: p = ${ps.map((p) => p.toFixed(3)).join(', ')}`)
      expect(Math.max(...ps)).toBeGreaterThan(0.05)
    },
    600_000,
  )
})

/** Two-sided p of the rank sum test, by the normal approximation. */
function mannWhitney(xs: readonly number[], ys: readonly number[]): number {
  const [n, m] = [xs.length, ys.length]
  const ranked = [...xs.map((value) => ({ value, isX: true })), ...ys.map((value) => ({ value, isX: false }))].toSorted(
    (a, b) => a.value - b.value,
  )
  const rankSum = ranked.reduce((sum, { isX }, index) => sum + (isX ? index + 1 : 0), 0)
  const z = Math.abs(rankSum - (n * (n + m + 1)) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  // Abramowitz and Stegun 26.2.17.
  const t = 1 / (1 + 0.2316419 * z)
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return 2 * tail
}
