import { afterEach, expect, it, vi } from 'vitest'
import { askAnew, askOutside, checkConnection, describeTrouble, getConnection, isOnline, reportReached } from './connection.ts'

const outside = 'https://outside.example/generate_204'
const away = new TypeError('Failed to fetch')

/** A network in which the server is away, and the site outside answers or not. */
function networkWith(answersOutside: boolean): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address)
    return address === outside && answersOutside ? Promise.resolve(new Response()) : Promise.reject(away)
  })
  return asked
}
afterEach(() => {
  askOutside(undefined)
  vi.unstubAllGlobals()
})

it('says whether the server or the internet is away, by the site that the operator named', async () => {
  askOutside(outside)
  networkWith(true)
  expect(await checkConnection()).toBe(false)
  expect(describeTrouble(getConnection())).toBe('The internet is there, but the server cannot be reached.')
  networkWith(false)
  expect(await checkConnection()).toBe(false)
  expect(describeTrouble(getConnection())).toBe('The server cannot be reached.')
})

it('asks nobody outside where no site was named', async () => {
  const asked = networkWith(true)
  await checkConnection()
  expect(asked).toEqual(['/api/ping'])
})

it('does not call the line dead for a ping that was silent since before a real answer, and asks anew for one lost after it', async () => {
  let lose: (reason: Error) => void = () => undefined
  vi.stubGlobal('fetch', () => new Promise((_, refuse) => (lose = refuse)))
  const silent = checkConnection()
  expect(checkConnection()).toBe(silent)
  reportReached()
  const loseFirst = lose
  networkWith(false)
  expect(await checkConnection()).toBe(false)
  reportReached()
  loseFirst(away)
  expect(await silent).toBe(true)
  expect(isOnline()).toBe(true)
})

it('waits for no ping of before when the line is back, and what it comes to does not count', async () => {
  let lose: (reason: Error) => void = () => undefined
  vi.stubGlobal('fetch', () => new Promise((_, refuse) => (lose = refuse)))
  const before = checkConnection()
  const loseFirst = lose
  vi.stubGlobal('fetch', async () => Response.json({ success: true, data: { now: new Date().toISOString() } }))
  expect(await askAnew()).toBe(true)
  loseFirst(away)
  await before
  expect(isOnline()).toBe(true)
})
