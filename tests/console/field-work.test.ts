import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { waysAt } from '../support/size.ts'
import { calm, findViolations, goTo, tooWide } from './support/browser.ts'
import { newLead, signInOfficer, waitForStores, type OfficerOptions } from './support/officer.ts'
import { useSite } from './support/site.ts'

const site = useSite()

const signIn = (options: OfficerOptions = {}) => signInOfficer(site, options)

/** A local write is sent after 3 s. */
const poll = <T>(read: () => T) => expect.poll(read)

async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return
  mkdirSync(process.env.SHOTS, { recursive: true })
  await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

describe('a day in the field', () => {
  it('captures offline, refuses a duplicate, edits another, and sends all once when the connection is back', async () => {
    const { page, office, setOffline } = await signIn()
    await page.getByText('Wanjiru Kamau').first().waitFor()
    await waitForStores(page)
    expect(await page.evaluate(async () => (await indexedDB.databases()).map((db) => db.name))).toContainEqual(
      expect.stringMatching(/^outpost:11111111-1111-4111-8111-111111111111:c1:[0-9a-f-]{36}$/),
    )
    await setOffline(true)
    await page.getByText('No connection. You see what is on this device.').waitFor()

    await newLead(page, '0711000001')
    await page.waitForURL('**/sales/leads')
    await page.getByText('Neema Achieng').first().waitFor()
    await newLead(page, '+254 722 000 001', 'Twice')
    await page.getByText('Unable to create lead, lead already exists.').first().waitFor()
    await goTo(page, '/sales/leads/edit/l2')
    await poll(() => page.getByLabel('Last name').inputValue()).toBe('Ouma')
    await page.getByLabel('Last name').fill('Ouma-Were')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.waitForURL('**/sales/leads')
    expect(office.rows()).toHaveLength(3)

    await setOffline(false)
    await poll(() => office.rows().map((row) => row.lastName)).toContain('Achieng')
    await poll(() => office.row('l2')?.lastName).toBe('Ouma-Were')
    expect(office.rows()).toHaveLength(4)
    expect([...office.effects.values()]).toEqual([1, 1])
  })

  it('goes on after a reload without a connection, and keeps nothing readable on the disk', async () => {
    const { page, setOffline, context } = await signIn()
    await page.getByText('Wanjiru Kamau').first().waitFor()
    await waitForStores(page)
    const dump = await page.evaluate(async () => {
      const names = (await indexedDB.databases()).map(({ name }) => name ?? '')
      const parts = await Promise.all(
        names.map(
          (name) =>
            new Promise<string>((resolve, reject) => {
              const request = indexedDB.open(name)
              request.onerror = () => reject(request.error)
              request.onsuccess = () => {
                const db = request.result
                const stores = [...db.objectStoreNames]
                if (stores.length === 0) return resolve('')
                const all = db.transaction(stores)
                void Promise.all(
                  stores.map(
                    (store) =>
                      new Promise<string>((done) => {
                        const read = all.objectStore(store).getAll()
                        read.onsuccess = () =>
                          done(
                            JSON.stringify(read.result, (_, value: unknown) =>
                              value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value,
                            ),
                          )
                      }),
                  ),
                ).then((texts) => resolve(texts.join('')))
              }
            }),
        ),
      )
      return parts.join('') + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)
    })
    expect(dump.length).toBeGreaterThan(1_000)
    for (const secret of ['Wanjiru', '0722000001', '254722000001', 'outpost-demo-2026', 'officer@sunrise.test'])
      expect(dump).not.toContain(secret)
    await setOffline(true)
    await page.reload()
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    await page.getByText('Wanjiru Kamau').first().waitFor()
    expect(context.pages()).toHaveLength(1)
  })

  it('starts and stops the day, with the place where the tenant asks for it', async () => {
    const calls: unknown[] = []
    const { page, context } = await signIn({
      answers: {
        'GET /api/agent/action/latest': () => ({
          agentAction: calls.length > 0 ? [{ action: 1, dateCreated: new Date().toISOString() }] : [],
        }),
        'POST /api/agent/action': (route) => {
          calls.push(route.request().postDataJSON())
          return { agentAction: [] }
        },
      },
    })
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ latitude: -1.2833, longitude: 36.8167 })
    await page.getByRole('button', { name: 'Start day' }).click()
    await page.getByRole('button', { name: 'Stop day' }).waitFor()
    expect(calls).toMatchObject([{ action: 1, location: { latitude: -1.2833, longitude: 36.8167 } }])
  })
})

/** A tab that is looked at again sends and pulls at once; not while the other one is at it. */
async function wholeRound(tab: Page, pulls: () => number): Promise<void> {
  const before = pulls()
  await poll(async () => {
    await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    return pulls()
  }).toBeGreaterThan(before)
}

describe('two tabs of one person', () => {
  it('see each other’s work at once and send it once', async () => {
    const { page, office, context, calls, setOffline } = await signIn()
    await page.getByText('Wanjiru Kamau').first().waitFor()
    const other = await context.newPage()
    await other.goto('/sales/leads')
    await other.getByText('Otieno Ouma').first().waitFor()
    await setOffline(true)
    await other.evaluate(() => dispatchEvent(new Event('offline')))
    await newLead(page, '0711000077')
    await other.getByText('Neema Achieng').first().waitFor()
    await setOffline(false)
    await other.evaluate(() => dispatchEvent(new Event('online')))
    await poll(() => office.rows().length).toBe(4)
    // Each of them goes through a whole round of its own afterwards.
    for (const tab of [page, other]) await wholeRound(tab, () => calls.filter((call) => call === 'GET /api/sync/pull').length)
    expect([...office.effects.values()]).toEqual([1])
    await other.close()
  })
})

describe('changes that need attention', () => {
  it('shows a duplicate found by the office and sends it again when corrected', async () => {
    const { page, office, setOffline } = await signIn()
    await page.getByText('Wanjiru Kamau').first().waitFor()
    await waitForStores(page)
    await setOffline(true)
    await newLead(page, '0733000009')
    await page.waitForURL('**/sales/leads')
    office.add('quicker', { firstName: 'Quick', lastName: 'Colleague', phonenumber: '0733000009' })
    await setOffline(false)
    await goTo(page, '/offline/attention')
    await page.getByText('Duplicate email or phone number.').waitFor()
    await shoot(page, 'attention-light-1280')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Change and retry' }).click()
    await page.getByLabel('Phone').fill('0733000010')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('All clear').waitFor()
    await poll(() => office.rows().some((row) => row.phonenumber === '0733000010')).toBe(true)
  })
})

describe('digital onboarding', () => {
  it('checks each step, saves as it is typed, goes on elsewhere, and sends one application', async () => {
    const { page, office } = await signIn()
    await goTo(page, '/sales/leads/digital-onboarding/wizard')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Enter the first name.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('ow-firstName')
    await shoot(page, 'wizard-error-1280')
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('First name').fill('Baraka')
    await page.getByLabel('Last name').fill('Mwangi')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByLabel('Phone', { exact: false }).first().fill('0722000001')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Duplicate email or phone number.').waitFor()
    await page.getByLabel('Phone', { exact: false }).first().fill('0755000001')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('heading', { name: 'Employment' }).waitFor()
    await page.getByText('Draft saved').waitFor()
    await goTo(page, '/agents/landingpage')
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    await goTo(page, '/sales/leads/digital-onboarding/wizard')
    await page.getByRole('button', { name: 'Continue Baraka Mwangi' }).click()
    await page.getByRole('heading', { name: 'Employment' }).waitFor()
    for (const heading of ['Address', 'Affordability', 'Consent and confirm']) {
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('heading', { name: heading }).waitFor()
    }
    await shoot(page, 'wizard-confirm-1280')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Send application' }).click()
    await poll(() => office.row('onboarded')?.lastName).toBe('Mwangi')
    await page.waitForURL('**/sales/leads/edit/onboarded')
  })
})

describe('how the hand-made screens look', () => {
  const screens = [
    ['/agents/landingpage', 'My Work'],
    ['/', 'Dashboard'],
    ['/?widgets=open', 'Dashboard'],
    ['/offline/attention', 'Needs attention'],
    ['/sales/leads/digital-onboarding/wizard', 'Digital onboarding'],
  ] as const
  it.each(waysAt(1280, 320))('has no violation and does not scroll sideways, $scheme, $width px', async ({ scheme, width }) => {
    const { page } = await signIn({ scheme, width, height: 800 })
    for (const [path, heading] of screens) {
      await goTo(page, path)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await calm(page)
      await shoot(page, `${path.replace(/\W+/g, '-')}-${scheme}-${width}`)
      expect({ path, found: await findViolations(page), tooWide: await tooWide(page) }).toEqual({ path, found: [], tooWide: [] })
    }
  })

  it('is never too wide while the dashboard is taken apart to be arranged, however late its tools come', async () => {
    const { page } = await signIn({ width: 1280, height: 800 })
    await page.route(/BoardEditor.*[.]js$/, async (route) => {
      await new Promise((done) => {
        setTimeout(done, 300)
      })
      await route.continue()
    })
    await goTo(page, '/')
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    await page.evaluate(() => {
      const seen = { widest: 0 }
      Object.assign(window, { seen })
      const look = () => {
        seen.widest = Math.max(seen.widest, document.documentElement.scrollWidth - document.documentElement.clientWidth)
      }
      // A frame is measured when it is drawn, and once more after effects ran.
      const frame = () => {
        look()
        setTimeout(look)
        requestAnimationFrame(frame)
      }
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true })
      frame()
    })
    await page.getByRole('button', { name: 'Arrange' }).click()
    await page.locator('.hw-editor .hw-tile').first().waitFor()
    await calm(page)
    expect(await page.evaluate(() => (window as unknown as { seen: { widest: number } }).seen.widest)).toBe(0)
  })
})
