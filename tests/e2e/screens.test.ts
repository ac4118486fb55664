import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { launchLasting } from '../console/support/browser.ts'
import { openPerson } from '../support/browser.ts'
import { isNightly, ways, waysAt } from '../support/size.ts'
import { callAs } from './support/calls.ts'
import { pathsOf } from './support/screen-paths.ts'
import { makeMoreRecords, makeRecords, removeRecords } from './support/screen-records.ts'
import { bad, findWrong, nothingWrong, walk } from './support/walk.ts'

const url = inject('outpostUrl')
const open =
  '/login /login/oauth/authorize?client_id=x /token /impersonate/1/officer /forgot-password /update-password /end-impersonation /reset-password/x /verify/x /account/verification/1/x /not-me/x /saml /not-authorized /coming-soon /offline /no-such-page /logout'.split(
    ' ',
  )
let browser: Browser

beforeAll(async () => {
  browser = await launchLasting()
  await makeRecords(url)
})
afterAll(async () => {
  await removeRecords(url)
  await browser.close()
})

describe('every screen, light and wide, dark and narrow', () => {
  it('for strangers', async () => {
    const person = await openPerson(browser, { url })
    person.allow(/status of 501.*\/auth-url\/saml/, 'no company of the demo has an identity provider: the screen says so')
    expect(bad(await walk(person, open, { go: async (path) => void (await person.page.goto(path)), looks: ways }))).toEqual([])
    await person.context.close()
  })

  it(
    'for an administrator, who may have any width of window',
    async () => {
      await makeMoreRecords(url)
      const email = 'admin@sunrise.test'
      const paths = await pathsOf({ url, email, office: await callAs(url, email) })
      expect(paths.length).toBeGreaterThan(25)
      // First with the smallest phone, where least has room.
      const looks = waysAt(1440, 320).toReversed()
      const widths = isNightly ? [768, 1280, 1920] : []
      for (const found of await findWrong({ browser, url, email, paths, looks, widths })) expect(found).toEqual(nothingWrong)
    },
    isNightly ? 2_400_000 : 1_800_000,
  )
})
