import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import type { Answer } from '../support/app.ts'
import { isNightly } from '../support/size.ts'
import { inherited, keyLike, recordOf } from './support/keys.ts'
import { endsSession, targetSibling, type Hole } from './support/probe.ts'
import { goodInputFor, inputFor, send } from './support/requests.ts'
import { securityWorld, userOf, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
beforeAll(async () => {
  world = await securityWorld()
})
afterAll(() => world.close())

const probed = () => world.routes.filter(({ name }) => !endsSession.includes(name))
const isFault = ({ status, body }: Answer) => status >= 500 && body.code !== 'NOT_CONFIGURED' && body.code !== 'GEO_UNAVAILABLE'
const holesIn = (route: Route, probe: string, answer: Answer): Hole[] =>
  isFault(answer) ? [{ route: route.name, probe, why: `status ${answer.status}` }] : []

it('a name that every object answers to is no key of anything: each free text of each call', async () => {
  const admin = await world.app.as(userOf(world.a, 'admin'))
  const target = targetSibling(world)
  const holes: Hole[] = []
  let probes = 0
  for (const route of probed()) {
    const input = goodInputFor(route, target)
    for (const { name, isRecord } of keyLike(route)) {
      // All of them at night; otherwise each field meets one of them, and another one in the next field.
      for (const word of isNightly ? inherited : [inherited[(probes += 1) % 3]!]) {
        holes.push(
          ...holesIn(
            route,
            `${name}=${word}`,
            await send(admin, route, { ...input, [name]: isRecord && route.method !== 'GET' ? recordOf(word) : word }),
          ),
        )
      }
    }
  }
  expect(holes).toEqual([])
  expect(probes).toBeGreaterThan(isNightly ? -1 : 200)
}, 300_000)

it('nor is a property of that name: each body is refused or ignores it', async () => {
  const admin = await world.app.as(userOf(world.a, 'admin'))
  const holes: Hole[] = []
  for (const [index, route] of probed()
    .filter(({ method }) => method !== 'GET')
    .entries()) {
    const word = inherited[index % inherited.length]!
    holes.push(
      ...holesIn(route, `property ${word}`, await send(admin, route, { ...inputFor(route, targetSibling(world)), ...recordOf(word) })),
    )
  }
  expect(holes).toEqual([])
})

it('every list is sorted by each field that it says it can be sorted by, and filtered by none that it does not know', async () => {
  const admin = await world.app.as(userOf(world.a, 'admin'))
  const holes: Hole[] = []
  let sorted = 0
  for (const route of world.routes.filter(({ method, operation }) => method === 'GET' && operation.kind === 'list')) {
    const input = inputFor(route, targetSibling(world))
    const refused = await send(admin, route, { ...input, sortField: 'nothingLikeIt' })
    const names =
      refused.body.fields
        ?.find(({ field }) => field === 'sortField')
        ?.message.replace('is not one of ', '')
        .split(', ') ?? []
    for (const name of names) {
      const answer = await send(admin, route, { ...input, sortField: name, size: 1 })
      if (answer.status !== 200) holes.push({ route: route.name, probe: `sortField=${name}`, why: `status ${answer.status}` })
      sorted += 1
    }
    // A list of one date alone takes any name for it.
    const isDateAsked = (await send(admin, route, { ...input, dateType: 'nothingLikeIt' })).status !== 200
    for (const word of inherited) {
      const filter = JSON.stringify([{ field: word, op: 'eq', value: 'x' }])
      const answers = [
        await send(admin, route, { ...input, filter }),
        await send(admin, route, { ...input, sortField: word }),
        ...(isDateAsked ? [await send(admin, route, { ...input, dateType: word })] : []),
      ]
      for (const [at, { status }] of answers.entries())
        if (status < 400 || status >= 500)
          holes.push({ route: route.name, probe: `${['filter', 'sortField', 'dateType'][at]} ${word}`, why: `status ${status}` })
    }
  }
  expect(holes).toEqual([])
  expect(sorted).toBeGreaterThan(100)
})

it('a body a hundred thousand levels deep is refused as unreadable wherever it is sent', async () => {
  const { http } = world.app
  const { token } = await world.app.as(userOf(world.a, 'admin'))
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const wrong: Hole[] = []
  for (const route of probed().filter(({ method, options }) => method !== 'GET' && !options.upload && !options.raw)) {
    const url = route.path.replace(/:\w+/g, world.a.branch.id)
    const { statusCode } = await http.inject({
      method: route.method,
      url,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      payload: `{"x":${deep}}`,
    })
    if (statusCode !== 400) wrong.push({ route: route.name, probe: 'deep', why: `status ${statusCode}` })
  }
  expect(wrong).toEqual([])
})
