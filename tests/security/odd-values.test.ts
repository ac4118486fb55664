import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import type { Answer, Client } from '../support/app.ts'
import { isNightly } from '../support/size.ts'
import { isPublic, targetB } from './support/probe.ts'
import { goodInputFor, send } from './support/requests.ts'
import { securityWorld, userOf, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
beforeAll(async () => {
  world = await securityWorld()
})
afterAll(() => world.close())

/** What a schema lets through and Postgres does not store, and what only looks like a number, a day or an identifier. */
const daily: readonly unknown[] = ['a\0b', '\ud800', '0000-01-05']
const odd: readonly unknown[] = isNightly
  ? [
      ...daily,
      '9999-12-31',
      1e15,
      1e300,
      -1,
      0.001,
      'x'.repeat(20_000),
      '00000000-0000-0000-0000-000000000000',
      [],
      {},
      [null],
      null,
      ' ',
      true,
    ]
  : daily

/** A session each for calls that would end it. */
const endsSession = /logout|endSessions|selectTenant|impersonate|removeAll|changePassword/i

/** Whether the value can be sent in that place: a path and a query carry text, and no half characters. */
function isSendable({ path, method }: Route, key: string, value: unknown): boolean {
  const isText = path.includes(`:${key}`) || method === 'GET'
  return !isText || (typeof value === 'string' && value.isWellFormed())
}

it(
  'of any field is answered: never by a fault of ours, and refused by its name',
  async () => {
    const signIn = (): Promise<Client> => world.app.as(userOf(world.b, 'admin'), { tenant: world.b.company })
    let admin = await signIn()
    const found: string[] = []
    let calls = 0
    const ask = async (route: Route, input: Record<string, unknown>): Promise<Answer> => {
      const answer = await send(admin, route, input)
      if (answer.status !== 401 && answer.status !== 429) return answer
      admin = await signIn()
      return send(admin, route, input)
    }
    const routes = world.routes.filter((route) => !isPublic(route) && !endsSession.test(route.name) && !route.path.startsWith('/geo/'))
    for (const route of routes) {
      const input = goodInputFor(route, targetB(world))
      for (const key of Object.keys(input))
        for (const value of odd.filter((one) => isSendable(route, key, one))) {
          calls += 1
          const { status, body, text } = await ask(route, { ...input, [key]: value })
          const isNameless = body.code === 'INVALID' && (body.fields ?? []).length === 0
          if ((status >= 500 && status !== 503) || isNameless)
            found.push(`${route.name} ${key} ${JSON.stringify(value).slice(0, 30)}: ${text.slice(0, 150)}`)
        }
    }
    expect(found).toEqual([])
    expect(calls).toBeGreaterThan(1_500)
  },
  isNightly ? 900_000 : 400_000,
)
