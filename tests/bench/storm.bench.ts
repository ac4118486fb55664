import { Agent } from 'node:http'
import { percentile, rounded, type Bench } from './support/figure.ts'
import { callOnce, load } from './support/load.ts'

/** A thousand guesses at one password from many callers; meanwhile everybody else works. */
export const bench: Bench = {
  name: 'storm',
  leads: 0,
  run: async (house) => {
    const headers = await house.signIn('officer@sunrise.test')
    const guesses = new Agent({ keepAlive: true, maxSockets: 50 })
    const verdicts: Record<number, number> = {}
    let left = 1_000
    const guesser = async () => {
      while (left > 0) {
        left -= 1
        const body = JSON.stringify({ email: 'branch@sunrise.test', password: `guess number ${left} of many` })
        const { status } = await callOnce(
          { url: `${house.url}/api/auth/login`, method: 'POST', headers: { 'content-type': 'application/json' }, body },
          guesses,
        )
        verdicts[status] = (verdicts[status] ?? 0) + 1
      }
    }
    const storm = Promise.all(Array.from({ length: 50 }, guesser))
    const times: number[] = []
    let isOver = false
    void storm.finally(() => (isOver = true))
    do {
      const { p50, p99 } = await load({ call: { url: `${house.url}/api/leads?size=25`, headers }, callers: 2, seconds: 1 })
      times.push(p50, p99)
    } while (!isOver)
    await storm
    guesses.destroy()
    return [
      {
        name: 'p99 of other calls during 1,000 guesses',
        value: rounded(percentile(times, 0.99)),
        unit: 'ms',
        target: '< 500',
        detail: `guesses answered ${JSON.stringify(verdicts)}`,
      },
    ]
  },
}
