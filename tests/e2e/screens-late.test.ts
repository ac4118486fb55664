import { expect, it } from 'vitest'
import { isNightly, waysAt } from '../support/size.ts'
import { callAs } from './support/calls.ts'
import { useFullDemo } from './support/full-demo.ts'
import { pathsOf } from './support/screen-paths.ts'
import { findWrong, nothingWrong } from './support/walk.ts'

const demo = useFullDemo()
const [wide, narrow] = waysAt(1440, 320)

// On a slow line answers come in any order: what is there must not move when the rest arrives.
it.each(isNightly ? [wide!, narrow!] : [wide!])(
  'every screen whose answers come late, in an order that is drawn, stays in its place ($scheme, $width px)',
  async (way) => {
    const { url } = demo
    const email = 'admin@sunrise.test'
    const paths = await pathsOf({ url, email, office: await callAs(url, email) })
    expect(paths.length).toBeGreaterThan(25)
    for (const found of await findWrong({ url, browser: demo.browser, email, paths, looks: [way], rules: [], isLate: true }))
      expect.soft(found).toEqual(nothingWrong)
  },
  2_400_000,
)
