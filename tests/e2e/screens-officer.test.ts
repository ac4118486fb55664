import { expect, it } from 'vitest'
import { isNightly, ways } from '../support/size.ts'
import { callAs } from './support/calls.ts'
import { useFullDemo } from './support/full-demo.ts'
import { pathsOf } from './support/screen-paths.ts'
import { findWrong, nothingWrong } from './support/walk.ts'

const demo = useFullDemo()

// What an officer may open is drawn by the views that the administrator's walk looks at: it is asked for faults, calls that are refused and
// what moves or sticks out, at night for all that axe knows.
it(
  'every screen of an officer, who comes with a computer',
  async () => {
    const { url } = demo
    const email = 'officer@sunrise.test'
    const paths = await pathsOf({ url, email, office: await callAs(url, 'admin@sunrise.test') })
    expect(paths.length).toBeGreaterThan(10)
    const looks = isNightly ? ways : ways.slice(0, 1)
    const rules = isNightly ? undefined : []
    for (const found of await findWrong({ url, browser: demo.browser, email, paths, looks, rules })) expect(found).toEqual(nothingWrong)
  },
  isNightly ? 2_400_000 : 1_800_000,
)
