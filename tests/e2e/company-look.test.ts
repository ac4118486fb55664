import { describe, expect, inject, it } from 'vitest'
import { signIn, signInFor } from '../support/browser.ts'
import { pngOf } from '../support/picture.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const people = usePeople()
const admin = 'admin@copper.test'
const path = '/admin/settings'
const primary = () => getComputedStyle(document.documentElement).getPropertyValue('--o-primary').trim()

describe('formats, colour and logo of a company', () => {
  it('are chosen on the settings screen, refused where they cannot be read, and hold at once in the whole console', async () => {
    const person = await people.enter(admin, path)
    const { page } = person
    person.allow(/422/, 'the test enters what is refused')
    const call = await callAs(url, admin)
    const company = (await call('GET', '/api/console')).body.data as { company: { Id: string } }
    const colour = page.locator('#set-primaryColour')
    await colour.getByRole('textbox').fill('#ffcc00')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await colour.getByText('is too light to be read').waitFor()
    await expectSound(person, 'a colour that is refused')
    await colour.getByRole('textbox').fill('#7a1f6b')
    await page.getByRole('combobox', { name: 'Days' }).click()
    await page.getByTitle('22/11/2026').click()
    await page.getByRole('combobox', { name: 'A week begins on' }).click()
    await page.getByTitle('Sunday').click()
    await page.keyboard.press('Control+s')
    await expect.poll(() => page.locator('.set-bar').getAttribute('data-kind')).toBe('saved')
    await expect.poll(() => page.evaluate(primary)).toBe('#7a1f6b')
    const choose = async (bytes: Buffer) => {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: /Choose (a|another) logo/ }).click()
      await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: bytes })
    }
    await choose(pngOf(10, 10))
    await page.getByText('Logo is smaller than 24 pixels a side').waitFor()
    await choose(pngOf(160, 48))
    await page
      .getByRole('banner')
      .getByRole('img', { name: /Copper/ })
      .waitFor()
    await settle(person)
    await expectSound(person, 'settings with colour and logo')

    await page.goto('/sales/activities/create')
    await settle(person)
    await page.getByPlaceholder('e.g. 22/11/2026 08:30').first().click()
    await expect.poll(() => page.locator('.ant-picker-content th').first().innerText()).toBe('Su')
    await page.keyboard.press('Escape')
    await settle(person)
    await expectSound(person, 'a form in the colour of the company')

    // Somebody else of the company, on a phone, in the dark: the console has them, and so has the sign-in afterwards.
    const other = await people.meet({ scheme: 'dark', width: 360, height: 800 })
    await signInFor(other, 'officer@copper.test', '/sales/leads/create')
    await settle(other)
    await other.page
      .getByRole('banner')
      .getByRole('img', { name: /Copper/ })
      .waitFor()
    expect(await other.page.evaluate(primary)).not.toBe('#7a1f6b')
    await expectSound(other, 'the colour of the company in the dark')
    other.allow(/401/, 'its session is gone')
    await other.context.clearCookies()
    await other.page.goto('/login')
    await other.page.getByRole('img', { name: /Copper/ }).waitFor()
    await settle(other)
    await expectSound(other, 'the sign-in of the company')

    const saved = await call('PUT', `/api/settings/${company.company.Id}`, {
      primaryColour: null,
      logo: null,
      dateFormat: null,
      firstDayOfWeek: null,
    })
    expect(saved.status).toBe(200)
    const later = await people.meet()
    await signIn(later, admin)
    expect(
      await later.page
        .getByRole('banner')
        .getByRole('img', { name: /Copper/ })
        .count(),
    ).toBe(0)
  })
})
