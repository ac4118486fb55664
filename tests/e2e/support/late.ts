import type { Person } from '../../support/browser.ts'
import { seededRandom } from '../../support/draws.ts'

/** How long answers are held back, ms: at once, and beyond each patience of the console. */
const delays = [0, 0, 400, 1_300, 2_600]

/** Holds back what the console reads, and the parts of the program, by drawn times: their order is never twice the same. Gives whether nothing is on its way. */
export async function readLate({ context }: Pick<Person, 'context'>, name: string): Promise<() => boolean> {
  const { pick } = seededRandom(name)
  let onTheWay = 0
  await context.route(/\/(api|assets|geo)\//, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    onTheWay += 1
    await new Promise((done) => setTimeout(done, pick(delays)))
    await route.fallback().catch(() => undefined)
    onTheWay -= 1
  })
  return () => onTheWay === 0
}
